// The far picture of a Gantt chart: how much of every pixel is covered, exact.
//
// A rectangle's share of pixels is a product of its share along time and its share along
// rows.  Each of the two has at most four differences, so sixteen sums in a table of
// differences stand for the whole rectangle, however large; one prefix sum along each
// side then gives every pixel.

// The differences of the share of unit cells that [from, to) covers, as pairs of place
// and change.  Returns their number.
function steps(from, to, most, at, change) {
  const low = Math.max(from, 0);
  const high = Math.min(to, most);
  if (!(high > low)) return 0;
  const first = Math.floor(low);
  const last = Math.min(Math.floor(high), most);
  if (first === last || (last === most && first === most - 1)) {
    at[0] = first; change[0] = high - low;
    at[1] = first + 1; change[1] = low - high;
    return 2;
  }
  const head = first + 1 - low; // covered of the first cell
  const tail = high - last; // of the last one
  at[0] = first; change[0] = head;
  at[1] = first + 1; change[1] = 1 - head;
  at[2] = last; change[2] = tail - 1;
  at[3] = last + 1; change[3] = -tail;
  return 4;
}

// window: {from, to, row, rows}: time and rows in view.  weight(i): of job i, or null for
// 1.  The sum of weights times covered share, for each of width * height pixels.
export function coverage(schedule, window, width, height, weight = null) {
  const wide = width + 2;
  const sums = new Float64Array(wide * (height + 2));
  const { start, finish, at, first, more } = schedule;
  const perSecond = width / (window.to - window.from);
  const perRow = height / window.rows;
  const xs = new Int32Array(4);
  const ys = new Int32Array(4);
  const dx = new Float64Array(4);
  const dy = new Float64Array(4);
  for (let i = 0; i < start.length; ++i) {
    if (at[i] === at[i + 1] || start[i] >= window.to || finish[i] <= window.from) continue;
    const across = steps((start[i] - window.from) * perSecond, (finish[i] - window.from) * perSecond, width, xs, dx);
    if (across === 0) continue;
    const heavy = weight ? weight(i) : 1;
    if (heavy === 0) continue;
    for (let k = at[i]; k < at[i + 1]; ++k) {
      const top = (first[k] - window.row) * perRow;
      const down = steps(top, top + (more[k] + 1) * perRow, height, ys, dy);
      for (let y = 0; y < down; ++y) {
        const line = ys[y] * wide;
        const part = dy[y] * heavy;
        for (let x = 0; x < across; ++x) sums[line + xs[x]] += part * dx[x];
      }
    }
  }
  return summed(sums, wide, width, height);
}

function summed(sums, wide, width, height) {
  const made = new Float64Array(width * height);
  const above = new Float64Array(width);
  for (let y = 0; y < height; ++y) {
    let row = 0;
    for (let x = 0; x < width; ++x) {
      row += sums[y * wide + x];
      above[x] += row;
      made[y * width + x] = above[x];
    }
  }
  return made;
}
