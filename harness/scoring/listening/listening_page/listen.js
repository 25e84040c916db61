/* The listening page: name, volume, headphones, practice, then one clip after the other, never going back.
   Answers are kept in the browser by name; at the end they are saved to a file. Text goes in as text. */
"use strict";
(() => {
  const sheet = JSON.parse(document.getElementById("sheet").textContent);
  const place = (id) => document.getElementById(id);
  const STORE = `outboundeval-listening-${sheet.id}`;
  const pairs = sheet.method === "ccr";
  const byId = new Map(sheet.items.map((item) => [item.id, item]));
  let kept = { last: "", raters: {} };
  let name = "", order = null, ready = false, player = null, keys = {};

  /* ---- what is kept ---- */
  function keep() {
    try { localStorage.setItem(STORE, JSON.stringify(kept)); }
    catch { tell("This browser keeps nothing for pages like this one: answer everything in one go, and save before you close it."); }
  }
  function restore() {
    try {
      const read = JSON.parse(localStorage.getItem(STORE) || "null");
      if (read && typeof read.raters === "object" && read.raters) kept = read;
    } catch { /* nothing was kept */ }
  }
  const keyOf = (given) => `=${given}`;  // a name may be one that objects have themselves
  const mine = () => kept.raters[keyOf(name)];
  function tell(text) {
    place("told").textContent = text;
    place("told").hidden = !text;
  }

  /* ---- building ---- */
  function made(tag, className, ...inside) {
    const element = document.createElement(tag);
    if (className) element.className = className;
    element.append(...inside);
    return element;
  }
  function button(text, className, act) {
    const found = made("button", className, text);
    found.type = "button";
    found.addEventListener("click", act);
    return found;
  }
  function show(step, ...inside) {
    if (player) player.stop();
    player = null;
    ready = false;
    const panel = made("div", "panel", ...inside);
    panel.dataset.step = step;
    place("stage").replaceChildren(panel);
    place("stop").hidden = !step.startsWith("item");
    place("who").textContent = name;
    const steps = sheet.tones.length + sheet.training.length + sheet.items.length;
    const past = name ? mine().tones.length + mine().trained + Object.keys(mine().answers).length : 0;
    place("done").hidden = !name;
    place("done").max = steps;
    place("done").value = past;
    place("counted").textContent = name ? `${past} of ${steps} done` : "";
    scrollTo(0, 0);
  }

  /* A thing to hear, and what is asked of it; `given` is called with the answer and how often it was heard. */
  function ask(step, { above, title, hint, sounds, labels, asked, choices, onward, given }) {
    let heard = 0, value = null;
    keys = {};
    const bar = made("progress");
    bar.max = 1; bar.value = 0;
    bar.setAttribute("aria-label", "How much of it was played");
    const now = made("span", "now");
    const start = button("▶ Play", "", () => {
      start.disabled = true;
      tell("");
      player.play(sounds);
    });
    start.id = "play";
    const group = made("fieldset", "", made("legend", "", asked));
    const scale = made("div", "scale");
    const inputs = choices.map((choice, number) => {
      const input = made("input");
      input.type = "radio"; input.name = "answer"; input.value = String(choice.value); input.disabled = true;
      input.addEventListener("change", () => { value = choice.value; next.disabled = false; told.textContent = "Press Enter to go on."; });
      const key = pairs && choices.length === 7 ? String(number + 1) : String(choice.value);
      keys[key] = input;
      scale.append(made("label", "", input, choice.label, made("kbd", "", key)));
      return input;
    });
    group.append(scale);
    const told = made("span", "hint", "Listen to its end first.");
    const next = button(onward || "Next", "main-button", () => given(value, heard));
    next.id = "next";
    next.disabled = true;
    const playing = made("div", "player", start, bar, ...(labels ? [now] : []));
    show(step, made("p", "eyebrow", above), made("h1", "", title), ...(hint ? [made("p", "", hint)] : []), playing,
      ...(choices.length ? [group] : []), made("div", "onward", next, told));
    player = makePlayer(sheet.sounds, {
      onProgress: (share, at) => { bar.value = share; now.textContent = labels ? labels[at] : ""; },
      onEnd: () => {
        heard += 1;
        bar.value = 1;
        now.textContent = "";
        start.textContent = "▶ Play again";
        start.disabled = false;
        inputs.forEach((input) => { input.disabled = false; });
        ready = true;
        if (document.activeElement === document.body) start.focus({ preventScroll: true });
        if (!choices.length) next.disabled = false;
        told.textContent = value === null && choices.length ? "Choose an answer." : "Press Enter to go on.";
      },
      onError: () => {
        start.disabled = false;
        tell("This browser could not play the sound. Try once more, or another browser.");
      },
    });
    start.focus({ preventScroll: true });
  }

  /* ---- the steps ---- */
  function begin() {
    name = "";
    const input = made("input");
    input.id = "rater"; input.maxLength = 60; input.autocomplete = "off"; input.spellcheck = false;
    const start = () => {
      const given = input.value.normalize("NFC").replace(/[\p{C}\p{Z}\s]+/gu, " ").trim();
      if (!given) { tell("Please give a name or a code first."); return input.focus(); }
      tell("");
      enter(given);
    };
    const label = made("label", "", "Your name or code ");
    label.append(input);
    const many = sheet.items.length;
    const list = made("ul", "",
      made("li", "", "Sit where it is quiet, and wear headphones."),
      made("li", "", "Rate how the voice sounds, not what it says."),
      made("li", "", "There is no right answer: go by your first impression."),
      made("li", "", "Now and then a voice tells you what to choose. Then choose that."));
    if (pairs) list.lastChild.remove();
    show("begin", made("h1", "", "How does this voice sound?"),
      made("p", "", pairs
        ? `You will hear ${many} pairs of short pieces of speech, and say each time how good the second is, compared with the first.`
        : `You will hear ${many} short pieces of speech, and say each time how good the quality of the voice is.`),
      list,
      made("p", "", "Nothing is sent anywhere. Your answers stay in this browser until you save them to a file at the end."),
      made("div", "name", label, button("Begin", "main-button", start)));
    input.addEventListener("keydown", (event) => { if (event.key === "Enter") { event.preventDefault(); event.stopPropagation(); start(); } });
    input.focus();
  }

  function enter(given) {
    name = given;
    kept.last = name;
    if (!Object.hasOwn(kept.raters, keyOf(name))) kept.raters[keyOf(name)] = { loud: false, tones: [], trained: 0, answers: {} };
    order = orderOf(sheet.items.map((item) => item.id), sheet.id, name);
    keep();
    onward();
  }

  function onward() {
    const me = mine();
    if (!me.loud) return volume();
    if (me.tones.length < sheet.tones.length) return tones(me.tones.length);
    if (me.trained < sheet.training.length) return training(me.trained);
    const open = order.items.findIndex((id) => !Object.hasOwn(me.answers, id));
    return open < 0 ? end() : rate(open);
  }

  function volume() {
    ask("volume", {
      above: "Before you begin", title: "Set the volume", hint: "Play this voice, and set the volume so that you hear it comfortably. Then leave it as it is.",
      sounds: [sheet.volume], asked: "", choices: [],
      given: () => { mine().loud = true; keep(); onward(); },
    });
  }

  function tones(at) {
    ask(`tones ${at}`, {
      above: `Headphones, ${at + 1} of ${sheet.tones.length}`, title: "Which tone is the softest?",
      hint: "You hear three tones, one after the other.",
      sounds: [sheet.tones[at]], asked: "The softest is the",
      choices: [{ value: 1, label: "first" }, { value: 2, label: "second" }, { value: 3, label: "third" }],
      given: (value) => { mine().tones.push(value); keep(); onward(); },
    });
  }

  const asking = (sounds) => ({
    title: pairs ? "Compare the two" : "Listen",
    sounds, labels: pairs ? ["First", "Second"] : null, asked: sheet.asked, choices: sheet.scale,
  });

  function training(at) {
    ask(`training ${at}`, {
      above: `Practice, ${at + 1} of ${sheet.training.length}`,
      ...asking(sheet.training[at].sounds),
      hint: "This one is to get used to the scale, and does not count.",
      given: () => { mine().trained = at + 1; keep(); onward(); },
    });
  }

  function rate(at) {
    const item = byId.get(order.items[at]);
    const sounds = pairs && order.swapped.has(item.id) ? [...item.sounds].reverse() : item.sounds;
    ask(`item ${item.id}`, {
      above: `${at + 1} of ${order.items.length}`,
      ...asking(sounds),
      given: (value, heard) => { mine().answers[item.id] = { value, heard }; keep(); onward(); },
    });
  }

  function end() {
    const saving = button("Save my answers", "main-button", save);
    saving.id = "save";
    show("end", made("h1", "", "Thank you, that was all."),
      made("p", "", "Save your answers to a file, and send it to whoever gave you this page."),
      made("div", "onward", saving, button("Somebody else begins", "", () => { kept.last = ""; keep(); tell(""); begin(); })));
    saving.focus({ preventScroll: true });
  }

  /* ---- the file ---- */
  function save() {
    const me = mine();
    const file = { format: "outboundeval-listening", version: 1, sheet: sheet.id, rater: name, saved_at: new Date().toISOString(), order: order.items, tones: me.tones, answers: me.answers };
    const plain = name.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "") || "rater";
    const link = made("a");
    link.href = URL.createObjectURL(new Blob([JSON.stringify(file, null, 1)], { type: "application/json" }));
    link.download = `listening-${plain}.json`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    const open = sheet.items.length - Object.keys(me.answers).length;
    tell(`Saved as ${link.download}.` + (open ? ` ${open} of ${sheet.items.length} are still open: open this page again to go on.` : " Please send it to whoever gave you this page."));
  }

  place("save-now").addEventListener("click", save);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input:not([type=radio])")) return;
    const next = place("next");
    if (event.key === "Enter" && next && event.target.id !== "save-now") {
      event.preventDefault();
      if (!next.disabled && !event.repeat) next.click();
      else if (!event.repeat) place("play").click();
      return;
    }
    if (event.key === " " && !event.target.matches("button, input") && place("play")) {
      event.preventDefault();
      return place("play").click();
    }
    if (ready && Object.hasOwn(keys, event.key)) keys[event.key].click();
  });

  restore();
  if (kept.last && Object.hasOwn(kept.raters, keyOf(kept.last))) enter(kept.last);
  else begin();
})();
