//! The vector instructions that blocks are made of, and their encodings on both widths.

use iced_x86::Code;

/// The part of a vector register that an operand of an instruction is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    Full,
    Half,
    Quarter,
}
use Part::{Full as F, Half as H, Quarter as Q};

/// The arrangement of an instruction's operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    /// `d = a op b`, b in memory or not.
    Binary,
    /// As `Binary`; a and b may change places.
    Commutative,
    /// `d = op a`, a in memory or not.
    Unary,
    /// `d = op a`, a in a register.
    Register,
    /// `d = d op (a, b)`: the first operand is overwritten.
    Ternary,
    /// `d = ±a b + c`, three encodings that overwrite one of the three.
    Fma,
    /// A mask: `d = a op b`.
    Compare,
    /// `d = mask ? b : a`.
    Blend,
    /// Masks to a mask.
    Masks,
    /// A mask to a vector.
    MaskToVector,
    /// A vector to a mask.
    VectorToMask,
}

/// An instruction on one width: its encodings (one, or three for [`Shape::Fma`]).
pub(super) struct Info {
    pub shape: Shape,
    /// The parts of the destination and the sources.
    pub parts: [Part; 3],
    /// Whether an immediate follows.
    pub imm: bool,
    pub codes: [Code; 3],
}

macro_rules! opcodes {
    (each { $($name:ident $shape:ident [$d:ident $a:ident $b:ident] $imm:literal $wide:ident $narrow:ident;)* }
     fma { $($fma:ident [$w0:ident $w1:ident $w2:ident] [$n0:ident $n1:ident $n2:ident];)* }) => {
        /// An instruction.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub(super) enum Opcode { $($name,)* $($fma,)* }

        impl Opcode {
            /// The encodings on 512 bits, or on 256.
            pub fn info(self, wide: bool) -> Info {
                match self {
                    $(Opcode::$name => Info {
                        shape: Shape::$shape,
                        parts: [$d, $a, $b],
                        imm: $imm,
                        codes: [if wide { Code::$wide } else { Code::$narrow }, Code::INVALID, Code::INVALID],
                    },)*
                    $(Opcode::$fma => Info {
                        shape: Shape::Fma,
                        parts: [F, F, F],
                        imm: false,
                        codes: if wide { [Code::$w0, Code::$w1, Code::$w2] } else { [Code::$n0, Code::$n1, Code::$n2] },
                    },)*
                }
            }
        }
    };
}

opcodes! {
    each {
    AddPs Commutative [F F F] false EVEX_Vaddps_zmm_k1z_zmm_zmmm512b32_er VEX_Vaddps_ymm_ymm_ymmm256;
    SubPs Binary [F F F] false EVEX_Vsubps_zmm_k1z_zmm_zmmm512b32_er VEX_Vsubps_ymm_ymm_ymmm256;
    MulPs Commutative [F F F] false EVEX_Vmulps_zmm_k1z_zmm_zmmm512b32_er VEX_Vmulps_ymm_ymm_ymmm256;
    DivPs Binary [F F F] false EVEX_Vdivps_zmm_k1z_zmm_zmmm512b32_er VEX_Vdivps_ymm_ymm_ymmm256;
    MinPs Binary [F F F] false EVEX_Vminps_zmm_k1z_zmm_zmmm512b32_sae VEX_Vminps_ymm_ymm_ymmm256;
    MaxPs Binary [F F F] false EVEX_Vmaxps_zmm_k1z_zmm_zmmm512b32_sae VEX_Vmaxps_ymm_ymm_ymmm256;
    RangePs Binary [F F F] true EVEX_Vrangeps_zmm_k1z_zmm_zmmm512b32_imm8_sae INVALID;
    ScalePs Binary [F F F] false EVEX_Vscalefps_zmm_k1z_zmm_zmmm512b32_er INVALID;
    SqrtPs Unary [F F F] false EVEX_Vsqrtps_zmm_k1z_zmmm512b32_er VEX_Vsqrtps_ymm_ymmm256;
    RoundPs Unary [F F F] true EVEX_Vrndscaleps_zmm_k1z_zmmm512b32_imm8_sae VEX_Vroundps_ymm_ymmm256_imm8;
    AddPd Commutative [F F F] false EVEX_Vaddpd_zmm_k1z_zmm_zmmm512b64_er VEX_Vaddpd_ymm_ymm_ymmm256;
    SubPd Binary [F F F] false EVEX_Vsubpd_zmm_k1z_zmm_zmmm512b64_er VEX_Vsubpd_ymm_ymm_ymmm256;
    MulPd Commutative [F F F] false EVEX_Vmulpd_zmm_k1z_zmm_zmmm512b64_er VEX_Vmulpd_ymm_ymm_ymmm256;
    DivPd Binary [F F F] false EVEX_Vdivpd_zmm_k1z_zmm_zmmm512b64_er VEX_Vdivpd_ymm_ymm_ymmm256;
    MinPd Binary [F F F] false EVEX_Vminpd_zmm_k1z_zmm_zmmm512b64_sae VEX_Vminpd_ymm_ymm_ymmm256;
    MaxPd Binary [F F F] false EVEX_Vmaxpd_zmm_k1z_zmm_zmmm512b64_sae VEX_Vmaxpd_ymm_ymm_ymmm256;
    RangePd Binary [F F F] true EVEX_Vrangepd_zmm_k1z_zmm_zmmm512b64_imm8_sae INVALID;
    ScalePd Binary [F F F] false EVEX_Vscalefpd_zmm_k1z_zmm_zmmm512b64_er INVALID;
    SqrtPd Unary [F F F] false EVEX_Vsqrtpd_zmm_k1z_zmmm512b64_er VEX_Vsqrtpd_ymm_ymmm256;
    RoundPd Unary [F F F] true EVEX_Vrndscalepd_zmm_k1z_zmmm512b64_imm8_sae VEX_Vroundpd_ymm_ymmm256_imm8;
    And Commutative [F F F] false EVEX_Vpandd_zmm_k1z_zmm_zmmm512b32 VEX_Vpand_ymm_ymm_ymmm256;
    AndNot Binary [F F F] false EVEX_Vpandnd_zmm_k1z_zmm_zmmm512b32 VEX_Vpandn_ymm_ymm_ymmm256;
    Or Commutative [F F F] false EVEX_Vpord_zmm_k1z_zmm_zmmm512b32 VEX_Vpor_ymm_ymm_ymmm256;
    Xor Commutative [F F F] false EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32 VEX_Vpxor_ymm_ymm_ymmm256;
    DotWords Ternary [F F F] false EVEX_Vdpbf16ps_zmm_k1z_zmm_zmmm512b32 INVALID;
    // Two registers of floats as one of `bf16`, the second one first: subnormal numbers become zeros.
    PairWords Binary [F F F] false EVEX_Vcvtne2ps2bf16_zmm_k1z_zmm_zmmm512b32 INVALID;
    Logic Ternary [F F F] true EVEX_Vpternlogd_zmm_k1z_zmm_zmmm512b32_imm8 INVALID;
    AddD Commutative [F F F] false EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32 VEX_Vpaddd_ymm_ymm_ymmm256;
    SubD Binary [F F F] false EVEX_Vpsubd_zmm_k1z_zmm_zmmm512b32 VEX_Vpsubd_ymm_ymm_ymmm256;
    MulD Commutative [F F F] false EVEX_Vpmulld_zmm_k1z_zmm_zmmm512b32 VEX_Vpmulld_ymm_ymm_ymmm256;
    MinSD Commutative [F F F] false EVEX_Vpminsd_zmm_k1z_zmm_zmmm512b32 VEX_Vpminsd_ymm_ymm_ymmm256;
    MaxSD Commutative [F F F] false EVEX_Vpmaxsd_zmm_k1z_zmm_zmmm512b32 VEX_Vpmaxsd_ymm_ymm_ymmm256;
    MinUD Commutative [F F F] false EVEX_Vpminud_zmm_k1z_zmm_zmmm512b32 VEX_Vpminud_ymm_ymm_ymmm256;
    MaxUD Commutative [F F F] false EVEX_Vpmaxud_zmm_k1z_zmm_zmmm512b32 VEX_Vpmaxud_ymm_ymm_ymmm256;
    AbsD Unary [F F F] false EVEX_Vpabsd_zmm_k1z_zmmm512b32 VEX_Vpabsd_ymm_ymmm256;
    CountD Unary [F F F] false EVEX_Vpopcntd_zmm_k1z_zmmm512b32 INVALID;
    ZerosD Unary [F F F] false EVEX_Vplzcntd_zmm_k1z_zmmm512b32 INVALID;
    ShlD Register [F F F] true EVEX_Vpslld_zmm_k1z_zmmm512b32_imm8 VEX_Vpslld_ymm_ymm_imm8;
    ShrD Register [F F F] true EVEX_Vpsrld_zmm_k1z_zmmm512b32_imm8 VEX_Vpsrld_ymm_ymm_imm8;
    SarD Register [F F F] true EVEX_Vpsrad_zmm_k1z_zmmm512b32_imm8 VEX_Vpsrad_ymm_ymm_imm8;
    RolD Register [F F F] true EVEX_Vprold_zmm_k1z_zmmm512b32_imm8 INVALID;
    ShlVarD Binary [F F F] false EVEX_Vpsllvd_zmm_k1z_zmm_zmmm512b32 VEX_Vpsllvd_ymm_ymm_ymmm256;
    ShrVarD Binary [F F F] false EVEX_Vpsrlvd_zmm_k1z_zmm_zmmm512b32 VEX_Vpsrlvd_ymm_ymm_ymmm256;
    SarVarD Binary [F F F] false EVEX_Vpsravd_zmm_k1z_zmm_zmmm512b32 VEX_Vpsravd_ymm_ymm_ymmm256;
    AddQ Commutative [F F F] false EVEX_Vpaddq_zmm_k1z_zmm_zmmm512b64 VEX_Vpaddq_ymm_ymm_ymmm256;
    SubQ Binary [F F F] false EVEX_Vpsubq_zmm_k1z_zmm_zmmm512b64 VEX_Vpsubq_ymm_ymm_ymmm256;
    MulQ Commutative [F F F] false EVEX_Vpmullq_zmm_k1z_zmm_zmmm512b64 INVALID;
    MulLow Commutative [F F F] false EVEX_Vpmuludq_zmm_k1z_zmm_zmmm512b64 VEX_Vpmuludq_ymm_ymm_ymmm256;
    CountQ Unary [F F F] false EVEX_Vpopcntq_zmm_k1z_zmmm512b64 INVALID;
    ZerosQ Unary [F F F] false EVEX_Vplzcntq_zmm_k1z_zmmm512b64 INVALID;
    MinSQ Commutative [F F F] false EVEX_Vpminsq_zmm_k1z_zmm_zmmm512b64 INVALID;
    MaxSQ Commutative [F F F] false EVEX_Vpmaxsq_zmm_k1z_zmm_zmmm512b64 INVALID;
    MinUQ Commutative [F F F] false EVEX_Vpminuq_zmm_k1z_zmm_zmmm512b64 INVALID;
    MaxUQ Commutative [F F F] false EVEX_Vpmaxuq_zmm_k1z_zmm_zmmm512b64 INVALID;
    AbsQ Unary [F F F] false EVEX_Vpabsq_zmm_k1z_zmmm512b64 INVALID;
    ShlQ Register [F F F] true EVEX_Vpsllq_zmm_k1z_zmmm512b64_imm8 VEX_Vpsllq_ymm_ymm_imm8;
    ShrQ Register [F F F] true EVEX_Vpsrlq_zmm_k1z_zmmm512b64_imm8 VEX_Vpsrlq_ymm_ymm_imm8;
    SarQ Register [F F F] true EVEX_Vpsraq_zmm_k1z_zmmm512b64_imm8 INVALID;
    ShlVarQ Binary [F F F] false EVEX_Vpsllvq_zmm_k1z_zmm_zmmm512b64 VEX_Vpsllvq_ymm_ymm_ymmm256;
    ShrVarQ Binary [F F F] false EVEX_Vpsrlvq_zmm_k1z_zmm_zmmm512b64 VEX_Vpsrlvq_ymm_ymm_ymmm256;
    SarVarQ Binary [F F F] false EVEX_Vpsravq_zmm_k1z_zmm_zmmm512b64 INVALID;
    // Conversions.
    IntToPs Unary [F F F] false EVEX_Vcvtdq2ps_zmm_k1z_zmmm512b32_er VEX_Vcvtdq2ps_ymm_ymmm256;
    UintToPs Unary [F F F] false EVEX_Vcvtudq2ps_zmm_k1z_zmmm512b32_er INVALID;
    PsToInt Unary [F F F] false EVEX_Vcvttps2dq_zmm_k1z_zmmm512b32_sae VEX_Vcvttps2dq_ymm_ymmm256;
    PsToUint Unary [F F F] false EVEX_Vcvttps2udq_zmm_k1z_zmmm512b32_sae INVALID;
    PsToPd Register [F H F] false EVEX_Vcvtps2pd_zmm_k1z_ymmm256b32_sae VEX_Vcvtps2pd_ymm_xmmm128;
    PdToPs Register [H F F] false EVEX_Vcvtpd2ps_ymm_k1z_zmmm512b64_er VEX_Vcvtpd2ps_xmm_ymmm256;
    IntToPd Register [F H F] false EVEX_Vcvtdq2pd_zmm_k1z_ymmm256b32_er VEX_Vcvtdq2pd_ymm_xmmm128;
    UintToPd Register [F H F] false EVEX_Vcvtudq2pd_zmm_k1z_ymmm256b32_er INVALID;
    PdToInt Register [H F F] false EVEX_Vcvttpd2dq_ymm_k1z_zmmm512b64_sae VEX_Vcvttpd2dq_xmm_ymmm256;
    PdToUint Register [H F F] false EVEX_Vcvttpd2udq_ymm_k1z_zmmm512b64_sae INVALID;
    LongToPd Unary [F F F] false EVEX_Vcvtqq2pd_zmm_k1z_zmmm512b64_er INVALID;
    UlongToPd Unary [F F F] false EVEX_Vcvtuqq2pd_zmm_k1z_zmmm512b64_er INVALID;
    PdToLong Unary [F F F] false EVEX_Vcvttpd2qq_zmm_k1z_zmmm512b64_sae INVALID;
    PdToUlong Unary [F F F] false EVEX_Vcvttpd2uqq_zmm_k1z_zmmm512b64_sae INVALID;
    LongToPs Register [H F F] false EVEX_Vcvtqq2ps_ymm_k1z_zmmm512b64_er INVALID;
    UlongToPs Register [H F F] false EVEX_Vcvtuqq2ps_ymm_k1z_zmmm512b64_er INVALID;
    WidenInt Register [F H F] false EVEX_Vpmovsxdq_zmm_k1z_ymmm256 VEX_Vpmovsxdq_ymm_xmmm128;
    WidenUint Register [F H F] false EVEX_Vpmovzxdq_zmm_k1z_ymmm256 VEX_Vpmovzxdq_ymm_xmmm128;
    NarrowLong Register [H F F] false EVEX_Vpmovqd_ymmm256_k1z_zmm INVALID;
    HalfToPs Register [F H F] false EVEX_Vcvtph2ps_zmm_k1z_ymmm256_sae VEX_Vcvtph2ps_ymm_xmmm128;
    PsToHalf Register [H F F] true EVEX_Vcvtps2ph_ymmm256_k1z_zmm_imm8_sae VEX_Vcvtps2ph_xmmm128_ymm_imm8;
    NarrowWord Register [H F F] false EVEX_Vpmovdw_ymmm256_k1z_zmm INVALID;
    NarrowByte Register [Q F F] false EVEX_Vpmovdb_xmmm128_k1z_zmm INVALID;
    High Register [H F F] true EVEX_Vextractf32x8_ymmm256_k1z_zmm_imm8 VEX_Vextractf128_xmmm128_ymm_imm8;
    Join Binary [F F H] true EVEX_Vinsertf32x8_zmm_k1z_zmm_ymmm256_imm8 VEX_Vinsertf128_ymm_ymm_xmmm128_imm8;
    PackWords Binary [F F F] false INVALID VEX_Vpackusdw_ymm_ymm_ymmm256;
    PackBytes Binary [F F F] false INVALID VEX_Vpackuswb_ymm_ymm_ymmm256;
    // Moves within a vector.
    LookUp Binary [F F F] false EVEX_Vpermps_zmm_k1z_zmm_zmmm512b32 VEX_Vpermps_ymm_ymm_ymmm256;
    PermuteWords Binary [F F F] false EVEX_Vpermw_zmm_k1z_zmm_zmmm512 INVALID;
    Swap256 Binary [F F F] true EVEX_Vshuff32x4_zmm_k1z_zmm_zmmm512b32_imm8 INVALID;
    Swap128 Binary [F F F] true EVEX_Vshuff32x4_zmm_k1z_zmm_zmmm512b32_imm8 VEX_Vperm2f128_ymm_ymm_ymmm256_imm8;
    Permute Unary [F F F] true EVEX_Vpermilps_zmm_k1z_zmmm512b32_imm8 VEX_Vpermilps_ymm_ymmm256_imm8;
    PermuteQ Unary [F F F] true EVEX_Vpermq_zmm_k1z_zmmm512b64_imm8 VEX_Vpermq_ymm_ymmm256_imm8;
    ShufflePs Binary [F F F] true EVEX_Vshufps_zmm_k1z_zmm_zmmm512b32_imm8 VEX_Vshufps_ymm_ymm_ymmm256_imm8;
    // Masks: registers of their own on 512 bits, vectors of 0 and -1 on 256.
    CmpPs Compare [F F F] true EVEX_Vcmpps_kr_k1_zmm_zmmm512b32_imm8_sae VEX_Vcmpps_ymm_ymm_ymmm256_imm8;
    CmpPd Compare [F F F] true EVEX_Vcmppd_kr_k1_zmm_zmmm512b64_imm8_sae VEX_Vcmppd_ymm_ymm_ymmm256_imm8;
    CmpD Compare [F F F] true EVEX_Vpcmpd_kr_k1_zmm_zmmm512b32_imm8 INVALID;
    CmpUD Compare [F F F] true EVEX_Vpcmpud_kr_k1_zmm_zmmm512b32_imm8 INVALID;
    CmpQ Compare [F F F] true EVEX_Vpcmpq_kr_k1_zmm_zmmm512b64_imm8 INVALID;
    CmpUQ Compare [F F F] true EVEX_Vpcmpuq_kr_k1_zmm_zmmm512b64_imm8 INVALID;
    EqD Compare [F F F] false EVEX_Vpcmpeqd_kr_k1_zmm_zmmm512b32 VEX_Vpcmpeqd_ymm_ymm_ymmm256;
    GtD Compare [F F F] false EVEX_Vpcmpgtd_kr_k1_zmm_zmmm512b32 VEX_Vpcmpgtd_ymm_ymm_ymmm256;
    EqQ Compare [F F F] false EVEX_Vpcmpeqq_kr_k1_zmm_zmmm512b64 VEX_Vpcmpeqq_ymm_ymm_ymmm256;
    GtQ Compare [F F F] false EVEX_Vpcmpgtq_kr_k1_zmm_zmmm512b64 VEX_Vpcmpgtq_ymm_ymm_ymmm256;
    TestD Compare [F F F] false EVEX_Vptestmd_kr_k1_zmm_zmmm512b32 INVALID;
    Blend Blend [F F F] false EVEX_Vblendmps_zmm_k1z_zmm_zmmm512b32 VEX_Vblendvps_ymm_ymm_ymmm256_ymm;
    BlendPd Blend [F F F] false EVEX_Vblendmpd_zmm_k1z_zmm_zmmm512b64 VEX_Vblendvpd_ymm_ymm_ymmm256_ymm;
    MaskAnd Masks [F F F] false VEX_Kandw_kr_kr_kr VEX_Vpand_ymm_ymm_ymmm256;
    MaskOr Masks [F F F] false VEX_Korw_kr_kr_kr VEX_Vpor_ymm_ymm_ymmm256;
    MaskXor Masks [F F F] false VEX_Kxorw_kr_kr_kr VEX_Vpxor_ymm_ymm_ymmm256;
    MaskXnor Masks [F F F] false VEX_Kxnorw_kr_kr_kr INVALID;
    MaskJoin Masks [F F F] false VEX_Kunpckbw_kr_kr_kr INVALID;
    MaskHigh Masks [F F F] true VEX_Kshiftrw_kr_kr_imm8 INVALID;
    MaskToVec MaskToVector [F F F] false EVEX_Vpmovm2d_zmm_kr INVALID;
    MaskToBytes MaskToVector [Q F F] false EVEX_Vpmovm2b_xmm_kr INVALID;
    VecToMask VectorToMask [F F F] false EVEX_Vpmovd2m_kr_zmm INVALID;
    ClassPs VectorToMask [F F F] true EVEX_Vfpclassps_kr_k1_zmmm512b32_imm8 INVALID;
    AndBytes Binary [Q Q Q] false EVEX_Vpandd_xmm_k1z_xmm_xmmm128b32 VEX_Vpand_xmm_xmm_xmmm128;
    }
    fma {
        FmaPs
            [EVEX_Vfmadd132ps_zmm_k1z_zmm_zmmm512b32_er EVEX_Vfmadd213ps_zmm_k1z_zmm_zmmm512b32_er EVEX_Vfmadd231ps_zmm_k1z_zmm_zmmm512b32_er]
            [VEX_Vfmadd132ps_ymm_ymm_ymmm256 VEX_Vfmadd213ps_ymm_ymm_ymmm256 VEX_Vfmadd231ps_ymm_ymm_ymmm256];
        FnmaPs
            [EVEX_Vfnmadd132ps_zmm_k1z_zmm_zmmm512b32_er EVEX_Vfnmadd213ps_zmm_k1z_zmm_zmmm512b32_er EVEX_Vfnmadd231ps_zmm_k1z_zmm_zmmm512b32_er]
            [VEX_Vfnmadd132ps_ymm_ymm_ymmm256 VEX_Vfnmadd213ps_ymm_ymm_ymmm256 VEX_Vfnmadd231ps_ymm_ymm_ymmm256];
        FmaPd
            [EVEX_Vfmadd132pd_zmm_k1z_zmm_zmmm512b64_er EVEX_Vfmadd213pd_zmm_k1z_zmm_zmmm512b64_er EVEX_Vfmadd231pd_zmm_k1z_zmm_zmmm512b64_er]
            [VEX_Vfmadd132pd_ymm_ymm_ymmm256 VEX_Vfmadd213pd_ymm_ymm_ymmm256 VEX_Vfmadd231pd_ymm_ymm_ymmm256];
        FnmaPd
            [EVEX_Vfnmadd132pd_zmm_k1z_zmm_zmmm512b64_er EVEX_Vfnmadd213pd_zmm_k1z_zmm_zmmm512b64_er EVEX_Vfnmadd231pd_zmm_k1z_zmm_zmmm512b64_er]
            [VEX_Vfnmadd132pd_ymm_ymm_ymmm256 VEX_Vfnmadd213pd_ymm_ymm_ymmm256 VEX_Vfnmadd231pd_ymm_ymm_ymmm256];
    }
}

impl Opcode {
    /// Whether the result is a mask.
    pub fn gives_mask(self) -> bool {
        matches!(self.info(true).shape, Shape::Compare | Shape::Masks | Shape::VectorToMask)
    }
}
