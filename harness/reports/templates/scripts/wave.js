/* Draws a call: two channels against time, with speech, gaps, latencies and interruptions. Knows nothing of sound. */
"use strict";
const Wave = (() => {
  const RULER = 20, LANE = 82, MIDDLE = 58, HEIGHT = 252;
  const TOP = { caller: RULER + 4, agent: RULER + 4 + LANE + MIDDLE };
  const ROW = { response: TOP.caller + LANE + 4, interruption: TOP.caller + LANE + 31 };
  const STEPS = [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800];

  /* Quiet speech is drawn higher than it is, or it would look like silence beside the loudest syllable. */
  const lift = (peak) => Math.sign(peak) * (Math.abs(peak) / 127) ** 0.7;

  const decode = (packed) => Int8Array.from(atob(packed), (char) => char.charCodeAt(0));

  function clock(seconds, digits = 1) {
    const unit = 10 ** digits;
    const ticks = Math.max(0, Math.round(seconds * unit));
    const whole = Math.floor(ticks / unit);
    const rest = digits ? `.${String(ticks % unit).padStart(digits, "0")}` : "";
    return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}${rest}`;
  }

  class Wave {
    constructor(reel, drawing) {
      this.reel = reel;
      this.view = reel.parentElement;
      this.canvas = reel.querySelector("canvas");
      this.drawing = drawing;
      this.peaks = { caller: decode(drawing.caller), agent: decode(drawing.agent) };
      this.perSecond = 0; /* pixels */
    }

    get fit() { return Math.max(1, this.view.clientWidth) / this.drawing.duration; }

    /* Sets the scale, keeping the moment at `anchor` (pixels from the left edge) where it is. */
    zoom(perSecond, anchor = this.view.clientWidth / 2) {
      const fixed = this.perSecond ? (this.view.scrollLeft + anchor) / this.perSecond : 0;
      this.perSecond = Math.min(Math.max(perSecond, this.fit), 600);
      this.reel.style.width = `${Math.max(this.view.clientWidth, Math.floor(this.drawing.duration * this.perSecond))}px`;
      this.view.scrollLeft = fixed * this.perSecond - anchor;
      this.draw();
    }

    x(seconds) { return seconds * this.perSecond; }
    seconds(clientX) {
      const along = clientX - this.view.getBoundingClientRect().left + this.view.scrollLeft;
      return Math.min(Math.max(along / this.perSecond, 0), this.drawing.duration);
    }

    draw() {
      const width = this.view.clientWidth, density = window.devicePixelRatio || 1;
      if (!width || !this.perSecond) return;
      this.canvas.style.width = `${width}px`;
      this.canvas.width = Math.round(width * density);
      this.canvas.height = Math.round(HEIGHT * density);
      const pen = this.canvas.getContext("2d");
      pen.scale(density, density);
      const style = getComputedStyle(this.view);
      this.colour = (name) => style.getPropertyValue(`--${name}`).trim();
      this.from = this.view.scrollLeft;
      this.width = width;
      this.ruler(pen);
      for (const side of ["caller", "agent"]) this.lane(pen, side);
      for (const gap of this.drawing.gaps) this.gap(pen, ...gap);
      for (const mark of this.drawing.marks) this.bracket(pen, mark);
    }

    /* From call time to the visible canvas, or null when the stretch is out of sight. */
    visible(start, end) {
      const left = this.x(start) - this.from, right = this.x(end) - this.from;
      return right < 0 || left > this.width ? null : [left, right];
    }

    ruler(pen) {
      const step = STEPS.find((each) => each * this.perSecond >= 68) || 3600;
      const digits = step < 0.1 ? 2 : step < 1 ? 1 : 0;
      pen.font = "11px Inter, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";
      pen.textBaseline = "middle";
      const first = Math.floor(this.from / this.perSecond / step);
      const last = Math.ceil((this.from + this.width) / this.perSecond / step);
      for (let n = first; n <= last; n++) {
        const x = this.x(n * step) - this.from;
        pen.fillStyle = this.colour("line");
        pen.fillRect(Math.round(x), 0, 1, HEIGHT);
        pen.fillStyle = this.colour("quiet");
        pen.fillText(clock(n * step, digits), x + 4, RULER / 2);
      }
    }

    lane(pen, side) {
      const top = TOP[side], middle = top + LANE / 2, half = LANE / 2 - 3;
      pen.fillStyle = this.colour(`${side}-soft`);
      for (const [start, end] of this.drawing.speech[side]) {
        const seen = this.visible(start, end);
        if (seen) pen.fillRect(seen[0], top, Math.max(1, seen[1] - seen[0]), LANE);
      }
      pen.fillStyle = this.colour(side);
      const peaks = this.peaks[side], rate = this.drawing.rate, count = peaks.length / 2;
      if (!count) return;
      for (let x = 0; x < this.width; x++) {
        const first = Math.floor(((this.from + x) / this.perSecond) * rate);
        if (first >= count) break;
        const last = Math.min(count, Math.max(first + 1, Math.floor(((this.from + x + 1) / this.perSecond) * rate)));
        let low = 127, high = -127;
        for (let n = first; n < last; n++) {
          if (peaks[2 * n] < low) low = peaks[2 * n];
          if (peaks[2 * n + 1] > high) high = peaks[2 * n + 1];
        }
        const up = lift(high) * half, down = lift(low) * half;
        pen.fillRect(x, middle - up, 1, Math.max(1, up - down));
      }
    }

    gap(pen, side, start, end) {
      const seen = this.visible(start, end);
      if (!seen) return;
      const [left, right] = [seen[0], Math.max(seen[1], seen[0] + 2)], top = TOP[side];
      pen.save();
      pen.beginPath();
      pen.rect(left, top, right - left, LANE);
      pen.clip();
      pen.fillStyle = this.colour("surface");
      pen.fill();
      pen.strokeStyle = this.colour("quiet");
      pen.lineWidth = 1;
      pen.beginPath();
      for (let x = left - LANE; x < right; x += 6) { pen.moveTo(x, top + LANE); pen.lineTo(x + LANE, top); }
      pen.stroke();
      pen.restore();
      pen.strokeStyle = this.colour("quiet");
      pen.lineWidth = 1;
      pen.strokeRect(left + 0.5, top + 0.5, right - left - 1, LANE - 1);
    }

    /* A line from the moment that starts a measurement to the one that ends it, with a foot in each lane. */
    bracket(pen, mark) {
      const seen = this.visible(Math.min(mark.start_s, mark.end_s), Math.max(mark.start_s, mark.end_s));
      if (!seen) return;
      const tone = { good: "good", bad: "bad", open: "open", idle: "idle" }[mark.tone] || "ink";
      const y = ROW[mark.kind] + 10.5;
      const from = this.x(mark.start_s) - this.from, to = this.x(mark.end_s) - this.from;
      pen.strokeStyle = this.colour(tone);
      pen.lineWidth = 1.5;
      pen.setLineDash(mark.tone === "idle" ? [3, 3] : []);
      pen.beginPath();
      pen.moveTo(from, TOP.caller + LANE - 10);
      pen.lineTo(from, y);
      pen.lineTo(to, y);
      pen.lineTo(to, TOP.agent + 10);
      pen.stroke();
      pen.setLineDash([]);
    }
  }

  return Object.assign(Wave, { ROW, clock });
})();
