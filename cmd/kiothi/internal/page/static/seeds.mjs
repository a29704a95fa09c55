// Where the seeds of a pit lie: in rows that the eye can count.

/** The centres of n seeds in a field of a width and a height, and their radius, which is at most the largest. */
export function arrange(n, width, height, largest) {
  let best = { radius: 0, columns: 1 };
  for (let columns = 1; columns <= n; columns++) {
    const radius = Math.min(largest, width / (2.2 * columns), height / (2.2 * Math.ceil(n / columns)));
    if (radius > best.radius + 1e-9) best = { radius, columns };
  }
  const { radius } = best;
  const rows = Math.ceil(n / best.columns);
  const columns = Math.ceil(n / rows); // rows of the same length as far as they go
  const step = 2.2 * radius;
  const centres = [];
  for (let i = 0; i < n; i++) {
    const row = Math.floor(i / columns);
    const inRow = Math.min(columns, n - row * columns);
    centres.push([
      width / 2 + ((i % columns) - (inRow - 1) / 2) * step,
      height / 2 + (row - (rows - 1) / 2) * step,
    ]);
  }
  return { centres, radius };
}
