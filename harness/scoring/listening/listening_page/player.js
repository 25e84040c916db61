/* Plays sounds of the page one after the other, from their beginning to their end: nobody can jump in them. */
"use strict";
function makePlayer(sounds, { onProgress, onEnd, onError }) {
  const GAP_MS = 600;
  let audio = null, timer = 0, shown = 0;
  function stop() {
    clearTimeout(timer);
    cancelAnimationFrame(shown);
    if (audio) { audio.onended = audio.onerror = null; audio.pause(); }
    audio = null;
  }
  function play(ids) {
    stop();
    let at = 0;
    function one() {
      audio = new Audio(`data:audio/wav;base64,${sounds[ids[at]]}`);
      audio.onended = () => {
        at += 1;
        if (at < ids.length) { onProgress(1, at - 1); timer = setTimeout(one, GAP_MS); return; }
        stop();
        onEnd();
      };
      audio.onerror = () => { stop(); onError(); };
      const show = () => {
        if (audio && audio.duration) onProgress(audio.currentTime / audio.duration, at);
        shown = requestAnimationFrame(show);
      };
      cancelAnimationFrame(shown);
      show();
      audio.play().catch(() => { if (audio) { stop(); onError(); } });
    }
    one();
  }
  return { play, stop };
}
