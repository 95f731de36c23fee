use jarrah_base::{Literal, Result};

const ROTATIONS: [u32; 8] = [13, 15, 26, 6, 17, 29, 16, 24];

/// Threefry-2x32 with 20 rounds (Salmon et al. 2011), element by element: `(k0, k1, x0, x1) -> (y0, y1)`.
pub fn threefry(operands: &[Literal]) -> Result<Vec<Literal>> {
    let mut first = Literal::zeros(operands[0].ty())?;
    let mut second = first.clone();
    let (k0, k1) = (operands[0].as_slice::<u32>()?, operands[1].as_slice::<u32>()?);
    let (x0, x1) = (operands[2].as_slice::<u32>()?, operands[3].as_slice::<u32>()?);
    let (y0, y1) = (first.as_mut_slice::<u32>()?, second.as_mut_slice::<u32>()?);
    for i in 0..y0.len() {
        [y0[i], y1[i]] = block([k0[i], k1[i]], [x0[i], x1[i]]);
    }
    Ok(vec![first, second])
}

/// Twenty rounds over one pair of words.
pub fn block(key: [u32; 2], [mut x0, mut x1]: [u32; 2]) -> [u32; 2] {
    let schedule = [key[0], key[1], key[0] ^ key[1] ^ 0x1BD1_1BDA];
    x0 = x0.wrapping_add(schedule[0]);
    x1 = x1.wrapping_add(schedule[1]);
    for round in 0..20 {
        x0 = x0.wrapping_add(x1);
        x1 = x1.rotate_left(ROTATIONS[round % 8]) ^ x0;
        if round % 4 == 3 {
            let injection = round / 4 + 1;
            x0 = x0.wrapping_add(schedule[injection % 3]);
            x1 = x1.wrapping_add(schedule[(injection + 1) % 3]).wrapping_add(injection as u32);
        }
    }
    [x0, x1]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The known answers of the Random123 distribution.
    #[test]
    fn known_answers() {
        assert_eq!(block([0, 0], [0, 0]), [0x6b20_0159, 0x99ba_4efe]);
        assert_eq!(block([u32::MAX; 2], [u32::MAX; 2]), [0x1cb9_96fc, 0xbb00_2be7]);
        assert_eq!(block([0x1319_8a2e, 0x0370_7344], [0x243f_6a88, 0x85a3_08d3]), [0xc492_3a9c, 0x483d_f7a0]);
    }
}
