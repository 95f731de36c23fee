use jarrah_base::DType;
use jarrah_tile::{Axis, Class, Inst, LoopKernel, Map, ScalarBits};

/// The loop with adjacent dimensions merged wherever its maps allow: as few dimensions as possible, and as long.
pub(super) fn collapse(kernel: &LoopKernel) -> LoopKernel {
    let mut k = kernel.clone();
    drop_units(&mut k);
    merge_neighbours(&mut k);
    merge_columns(&mut k);
    if k.outer.is_empty() {
        insert_unit(&mut k);
    }
    k
}

fn maps(k: &LoopKernel) -> impl Iterator<Item = &Map> {
    k.body
        .iter()
        .filter_map(|inst| match inst {
            Inst::Load { map, .. } => Some(map),
            _ => None,
        })
        .chain(k.stores.iter().map(|s| &s.map))
}

fn maps_mut(k: &mut LoopKernel) -> impl Iterator<Item = &mut Map> {
    k.body
        .iter_mut()
        .filter_map(|inst| match inst {
            Inst::Load { map, .. } => Some(map),
            _ => None,
        })
        .chain(k.stores.iter_mut().map(|s| &mut s.map))
}

fn has_index(k: &LoopKernel, d: usize) -> bool {
    k.body.iter().any(|inst| matches!(inst, Inst::Iota { axis: Axis::Row(e), .. } if *e == d))
}

/// Removes dimension `d`, whose index no instruction asks for.
fn remove(k: &mut LoopKernel, d: usize) {
    if d < k.outer.len() {
        k.outer.remove(d);
    } else {
        k.reduce.remove(d - k.outer.len());
    }
    for map in maps_mut(k) {
        map.rows.remove(d);
    }
    for inst in &mut k.body {
        if let Inst::Iota { axis: Axis::Row(e), .. } = inst
            && *e > d
        {
            *e -= 1;
        }
    }
}

fn drop_units(k: &mut LoopKernel) {
    for d in (0..k.rank()).rev() {
        let reduced = d >= k.outer.len();
        let extent = if reduced { k.reduce[d - k.outer.len()] } else { k.outer[d] };
        // The last reduced dimension stays: it makes the kernel a column reduction.
        if extent != 1 || (reduced && k.reduce.len() == 1) {
            continue;
        }
        for inst in &mut k.body {
            if let Inst::Iota { axis: Axis::Row(e), dtype, class: Class::Row } = inst
                && *e == d
            {
                *inst = Inst::Const(ScalarBits::from_f64(*dtype, 0.0));
            }
        }
        if !has_index(k, d) {
            remove(k, d);
        }
    }
}

fn merge_neighbours(k: &mut LoopKernel) {
    for d in (1..k.rank()).rev() {
        let n = k.outer.len();
        if d == n || has_index(k, d) || has_index(k, d - 1) {
            continue;
        }
        let extent = if d < n { k.outer[d] } else { k.reduce[d - n] };
        if !maps(k).all(|m| m.rows[d - 1] == m.rows[d] * extent as i64) {
            continue;
        }
        // Dimension `d - 1` goes; `d`, which keeps its stride, covers both.
        let outer = if d < n { k.outer[d - 1] } else { k.reduce[d - 1 - n] };
        if d < n {
            k.outer[d] *= outer;
        } else {
            k.reduce[d - n] *= outer;
        }
        remove(k, d - 1);
    }
}

/// Merges the last dimension of rows into the columns of a row kernel that folds no rows.
fn merge_columns(k: &mut LoopKernel) {
    while !k.is_column() && !k.outer.is_empty() {
        let d = k.outer.len() - 1;
        let folds = k.body.iter().any(Inst::is_reduction);
        let ramps = k.body.iter().any(|i| matches!(i, Inst::Iota { axis: Axis::Cols, .. }));
        if folds || has_index(k, d) || (ramps && k.cols != 1) {
            return;
        }
        if k.cols == 1 {
            for map in maps_mut(k) {
                map.col = map.rows[d];
            }
            for inst in &mut k.body {
                match inst {
                    Inst::Iota { axis: Axis::Cols, dtype, .. } => *inst = Inst::Const(zero(*dtype)),
                    Inst::Load { map, class, .. } => {
                        *class = if map.col == 0 { Class::Row } else { Class::Full };
                    }
                    _ => {}
                }
            }
        } else if !maps(k).all(|m| m.rows[d] == m.col * k.cols as i64) {
            return;
        }
        k.cols *= k.outer[d];
        remove(k, d);
    }
}

fn zero(dtype: DType) -> ScalarBits {
    ScalarBits::from_f64(dtype, 0.0)
}

fn insert_unit(k: &mut LoopKernel) {
    k.outer.push(1);
    for map in maps_mut(k) {
        map.rows.insert(0, 0);
    }
    for inst in &mut k.body {
        if let Inst::Iota { axis: Axis::Row(e), .. } = inst {
            *e += 1;
        }
    }
}
