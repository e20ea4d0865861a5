// The two products that training spends its time on, four numbers at a time (AssemblyScript).
// Arguments are byte offsets and counts; row counts and widths are multiples of 4.

// out[i][j] = a[i] · b[j]
export function dots(a: usize, b: usize, out: usize, rows: i32, columns: i32, width: i32): void {
  const stride = <usize> width << 2;
  for (let i = 0; i < rows; i += 2) {
    const a0 = a + <usize> i * stride;
    const a1 = a0 + stride;
    for (let j = 0; j < columns; j += 4) {
      const b0 = b + <usize> j * stride;
      const b1 = b0 + stride;
      const b2 = b1 + stride;
      const b3 = b2 + stride;
      let s00 = f32x4.splat(0), s01 = f32x4.splat(0), s02 = f32x4.splat(0), s03 = f32x4.splat(0);
      let s10 = f32x4.splat(0), s11 = f32x4.splat(0), s12 = f32x4.splat(0), s13 = f32x4.splat(0);
      for (let k: usize = 0; k < stride; k += 16) {
        const x0 = v128.load(a0 + k), x1 = v128.load(a1 + k);
        const y0 = v128.load(b0 + k), y1 = v128.load(b1 + k), y2 = v128.load(b2 + k), y3 = v128.load(b3 + k);
        s00 = f32x4.add(s00, f32x4.mul(x0, y0));
        s01 = f32x4.add(s01, f32x4.mul(x0, y1));
        s02 = f32x4.add(s02, f32x4.mul(x0, y2));
        s03 = f32x4.add(s03, f32x4.mul(x0, y3));
        s10 = f32x4.add(s10, f32x4.mul(x1, y0));
        s11 = f32x4.add(s11, f32x4.mul(x1, y1));
        s12 = f32x4.add(s12, f32x4.mul(x1, y2));
        s13 = f32x4.add(s13, f32x4.mul(x1, y3));
      }
      const o = out + ((<usize> i * <usize> columns + <usize> j) << 2);
      const p = o + (<usize> columns << 2);
      store<f32>(o, total(s00), 0);
      store<f32>(o, total(s01), 4);
      store<f32>(o, total(s02), 8);
      store<f32>(o, total(s03), 12);
      store<f32>(p, total(s10), 0);
      store<f32>(p, total(s11), 4);
      store<f32>(p, total(s12), 8);
      store<f32>(p, total(s13), 12);
    }
  }
}

// out[i] = the rows of b, each times share[i][j], summed
export function blend(share: usize, b: usize, out: usize, rows: i32, columns: i32, width: i32): void {
  const stride = <usize> width << 2;
  const line = <usize> columns << 2;
  for (let i = 0; i < rows; i += 4) {
    const g0 = share + <usize> i * line;
    const g1 = g0 + line;
    const g2 = g1 + line;
    const g3 = g2 + line;
    const o = out + <usize> i * stride;
    for (let k: usize = 0; k < stride; k += 16) {
      let s0 = f32x4.splat(0), s1 = f32x4.splat(0), s2 = f32x4.splat(0), s3 = f32x4.splat(0);
      let y = b + k;
      for (let j: usize = 0; j < line; j += 4, y += stride) {
        const row = v128.load(y);
        s0 = f32x4.add(s0, f32x4.mul(v128.load32_splat(g0 + j), row));
        s1 = f32x4.add(s1, f32x4.mul(v128.load32_splat(g1 + j), row));
        s2 = f32x4.add(s2, f32x4.mul(v128.load32_splat(g2 + j), row));
        s3 = f32x4.add(s3, f32x4.mul(v128.load32_splat(g3 + j), row));
      }
      v128.store(o + k, s0);
      v128.store(o + stride + k, s1);
      v128.store(o + 2 * stride + k, s2);
      v128.store(o + 3 * stride + k, s3);
    }
  }
}

function total(sums: v128): f32 {
  return f32x4.extract_lane(sums, 0) + f32x4.extract_lane(sums, 1) +
    (f32x4.extract_lane(sums, 2) + f32x4.extract_lane(sums, 3));
}
