/* Each rater's own order, from the page and their name: as harness/scoring/listening/order.py draws it. */
"use strict";
function orderOf(items, sheet, rater) {
  let state = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(`${sheet} ${rater}`)) {
    state = Math.imul(state ^ byte, 0x01000193) >>> 0;
  }
  function next() {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }
  function shuffled() {
    const found = [...items];
    for (let last = found.length - 1; last > 0; last--) {
      const other = Math.floor((next() * (last + 1)) / 4294967296);
      [found[last], found[other]] = [found[other], found[last]];
    }
    return found;
  }
  return { items: shuffled(), swapped: new Set(shuffled().slice(0, Math.floor(items.length / 2))) };
}
