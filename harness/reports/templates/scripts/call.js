/* One call's panel: plays its sound from any moment, and shows where it is in waveform and transcript. */
"use strict";
(() => {
  let sounding = null; /* the one panel that plays */

  class CallPanel {
    constructor(call) {
      this.call = call;
      this.player = call.querySelector(".player");
      this.audio = call.querySelector("audio");
      this.lines = [...call.querySelectorAll(".line")];
      this.words = [...call.querySelectorAll(".main .w")];
      const drawing = JSON.parse(call.querySelector(".drawing").textContent);
      this.duration = drawing.duration;
      this.reel = call.querySelector(".reel");
      this.wave = new Wave(this.reel, drawing);
      this.canvas = call.querySelector("canvas");
      this.head = call.querySelector(".playhead");
      this.addMarks(drawing.marks);
      this.listen();
      this.resize();
    }

    addMarks(marks) {
      const holder = this.call.querySelector(".marks");
      this.marks = marks.map((mark) => {
        const button = document.createElement("button");
        button.type = "button";
        button.className = `mark mark-${mark.kind} tone-${mark.tone}`;
        button.textContent = mark.label;
        button.title = mark.spoken;
        button.setAttribute("aria-label", `${mark.spoken}. Play from ${Wave.clock(mark.play_s)}`);
        button.dataset.t = mark.play_s;
        button.style.top = `${Wave.ROW[mark.kind]}px`;
        holder.append(button);
        return { button, middle: (mark.start_s + mark.end_s) / 2, kind: mark.kind, width: button.offsetWidth };
      });
    }

    listen() {
      this.call.addEventListener("click", (event) => {
        const from = event.target.closest("[data-t]");
        if (from) this.play(Number(from.dataset.t));
      });
      this.call.querySelector(".play").addEventListener("click", () => this.toggle());
      this.call.querySelector("select").addEventListener("change", (event) => {
        if (this.audio) this.audio.playbackRate = Number(event.target.value);
      });
      this.call.querySelector(".zoom").addEventListener("click", (event) => this.zoomBy(event.target.dataset.zoom));
      this.canvas.addEventListener("click", (event) => this.play(this.wave.seconds(event.clientX)));
      this.canvas.addEventListener("keydown", (event) => this.key(event));
      this.wave.view.addEventListener("scroll", () => this.wave.draw(), { passive: true });
      this.wave.view.addEventListener("wheel", (event) => {
        if (!event.ctrlKey && !event.metaKey) return;
        event.preventDefault();
        const anchor = event.clientX - this.wave.view.getBoundingClientRect().left;
        this.zoom(this.wave.perSecond * Math.exp(-event.deltaY / 200), anchor);
      }, { passive: false });
      new ResizeObserver(() => this.resize()).observe(this.wave.view);
      document.addEventListener("schemechange", () => this.wave.draw());
      matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.wave.draw());
      if (!this.audio) return;
      this.audio.addEventListener("play", () => this.started());
      for (const end of ["pause", "ended"]) this.audio.addEventListener(end, () => this.paused());
      this.audio.addEventListener("seeked", () => this.show());
      const last = this.audio.querySelector("source:last-of-type");
      last.addEventListener("error", () => {
        this.player.querySelector(".sound-note").textContent =
          "This browser can play neither the embedded sound nor the file beside the page.";
      });
    }

    /* ---- time ---- */
    get now() { return this.audio ? this.audio.currentTime : 0; }

    seek(seconds) {
      if (!this.audio) return;
      this.audio.currentTime = Math.min(Math.max(seconds, 0), this.duration);
      this.show();
      this.reveal();
    }

    play(seconds) {
      if (!this.audio) return;
      this.seek(seconds);
      this.audio.play().catch(() => {}); /* told by the source's error event */
    }

    toggle() {
      if (!this.audio) return;
      if (this.audio.paused) this.audio.play().catch(() => {});
      else this.audio.pause();
    }

    started() {
      if (sounding && sounding !== this) sounding.audio.pause();
      sounding = this;
      this.player.classList.add("playing");
      this.call.querySelector(".play").setAttribute("aria-label", "Pause");
      const step = () => {
        if (this.audio.paused) return;
        this.show();
        this.reveal();
        requestAnimationFrame(step);
      };
      requestAnimationFrame(step);
    }

    paused() {
      this.player.classList.remove("playing");
      this.call.querySelector(".play").setAttribute("aria-label", "Play");
      this.show();
    }

    show() {
      const now = this.now;
      this.head.style.transform = `translateX(${this.wave.x(now)}px)`;
      this.call.querySelector(".now").textContent = Wave.clock(now);
      this.canvas.setAttribute("aria-valuenow", now.toFixed(1));
      this.canvas.setAttribute("aria-valuetext", Wave.clock(now));
      for (const line of this.lines) {
        const current = now >= Number(line.dataset.start) && now < Number(line.dataset.end);
        if (current && !line.classList.contains("current") && !this.audio.paused) this.scrollTo(line);
        line.classList.toggle("current", current);
      }
      let spoken = null;
      for (const word of this.words) if (Number(word.dataset.t) <= now) spoken = word;
      if (spoken && !spoken.closest(".current")) spoken = null;
      if (spoken === this.spoken) return;
      if (this.spoken) this.spoken.classList.remove("spoken");
      if (spoken) spoken.classList.add("spoken");
      this.spoken = spoken;
    }

    scrollTo(line) {
      const list = line.parentElement;
      list.scrollTo({ top: line.offsetTop - list.offsetTop - list.clientHeight / 3, behavior: "smooth" });
    }

    /* Keeps the playhead in sight when the waveform is wider than its window. */
    reveal() {
      const view = this.wave.view, x = this.wave.x(this.now) - view.scrollLeft;
      if (x < 0 || x > view.clientWidth * 0.88) view.scrollLeft += x - view.clientWidth * 0.15;
    }

    /* ---- scale ---- */
    resize() {
      if (!this.wave.view.clientWidth) return;
      /* Long calls open at a readable scale and scroll; short ones fit. */
      const atLeast = this.wave.perSecond ? this.wave.perSecond : 16;
      this.zoom(this.fitted ? 0 : atLeast);
      if (this.fitted === undefined) this.fitted = this.wave.perSecond <= this.wave.fit * 1.001;
    }

    zoomBy(way) {
      if (!way) return;
      this.fitted = way === "fit";
      this.zoom({ in: this.wave.perSecond * 1.6, out: this.wave.perSecond / 1.6, fit: 0 }[way]);
    }

    zoom(perSecond, anchor) {
      this.wave.zoom(perSecond, anchor);
      /* Labels that would cover their neighbour shrink to dots beside it. */
      const reach = { response: 0, interruption: 0 };
      for (const mark of this.marks) {
        if (!mark.width) mark.width = mark.button.offsetWidth;
        const half = mark.width / 2, middle = this.wave.x(mark.middle), taken = reach[mark.kind] + 3;
        const at = Math.max(Math.min(middle, this.reel.clientWidth - half - 2), half + 2);
        const tight = at - half < taken && reach[mark.kind] > 0;
        mark.button.classList.toggle("tight", tight);
        const centre = tight ? Math.max(middle, taken + 5) : at;
        mark.button.style.left = `${centre}px`;
        reach[mark.kind] = centre + (tight ? 5 : half);
      }
      this.show();
    }

    key(event) {
      const moves = { ArrowLeft: -1, ArrowRight: 1, PageDown: 10, PageUp: -10 };
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key in moves) this.seek(this.now + moves[event.key] * (event.shiftKey ? 5 : 1));
      else if (event.key === "Home") this.seek(0);
      else if (event.key === "End") this.seek(this.duration);
      else if (event.key === " ") this.toggle();
      else if (event.key === "+" || event.key === "=") this.zoomBy("in");
      else if (event.key === "-") this.zoomBy("out");
      else if (event.key === "0") this.zoomBy("fit");
      else return;
      event.preventDefault();
    }
  }

  /* Panels are made when they are first needed: a run may have hundreds of calls. */
  const panels = new WeakMap();
  function panel(call) {
    if (!panels.has(call) && call.querySelector(".player")) panels.set(call, new CallPanel(call));
    return panels.get(call);
  }
  for (const call of document.querySelectorAll("details.call")) {
    call.addEventListener("toggle", () => { if (call.open) panel(call); });
    call.addEventListener("seek", (event) => panel(call)?.seek(event.detail));
    if (call.open) panel(call);
  }
})();
