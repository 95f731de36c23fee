"""Runs the test files of a JAX checkout on one backend and keeps what each test did."""
