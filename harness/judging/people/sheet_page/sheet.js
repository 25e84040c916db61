/* The rating sheet: one item at a time, answers kept in the browser, saved to a file. Text goes in as text. */
"use strict";
(() => {
  const sheet = JSON.parse(document.getElementById("sheet").textContent);
  const place = (id) => document.getElementById(id);
  const STORE = `outboundeval-sheet-${sheet.id}`;
  let state = { rater: "", at: 0, answers: {} };

  /* ---- what is kept ---- */
  function keep() {
    try { localStorage.setItem(STORE, JSON.stringify(state)); }
    catch { tell("This browser keeps nothing for pages like this one: save your answers before you close it."); }
  }
  function restore() {
    try {
      const kept = JSON.parse(localStorage.getItem(STORE) || "null");
      if (kept && typeof kept.answers === "object") state = { ...state, ...kept };
    } catch { /* nothing was kept */ }
    state.at = Math.min(Math.max(0, state.at | 0), sheet.items.length - 1);
  }
  function tell(text) {
    place("told").textContent = text;
    place("told").hidden = !text;
  }

  /* ---- answers ---- */
  const answerTo = (item, question) => (state.answers[item.id] || {})[question.id];
  function complete(item, question) {
    const answer = answerTo(item, question);
    if (!answer || !answer.value) return false;
    return !(question.turn_for && answer.value === question.turn_for) || Number.isInteger(answer.turn);
  }
  const answered = (item) => item.questions.every((question) => complete(item, question));
  function change(item, question, part) {
    const of = state.answers[item.id] || (state.answers[item.id] = {});
    of[question.id] = { ...(of[question.id] || {}), ...part };
    keep();
    count();
  }

  /* ---- the page ---- */
  function made(tag, className, text) {
    const element = document.createElement(tag);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    return element;
  }

  function dialogue(shown) {
    const box = made("div", "shown-text");
    if (shown.label) box.append(made("h4", "", shown.label));
    const list = made("ol");
    const turns = sheet.texts[shown.text].turns;
    const last = shown.until === null ? turns.length - 1 : shown.until;
    turns.slice(0, last + 1).forEach((turn, number) => {
      const line = made("li", ["agent", "caller"].includes(turn.speaker) ? turn.speaker : "");
      line.append(made("span", "number", String(number)), made("span", "who", turn.speaker), made("span", "pre", turn.text));
      if (number === shown.focus) line.classList.add("focus");
      list.append(line);
    });
    box.append(list);
    return box;
  }

  function asks(item, question) {
    const box = made("fieldset");
    box.dataset.question = question.id;
    if (question.asks) box.append(made("legend", "", question.asks));
    const choices = made("div", "choices");
    const more = made("div", "more");
    const name = `${item.id}/${question.id}`;
    const given = answerTo(item, question) || {};
    const turn = made("select", "turn");
    const needs = made("label", "needs", "in turn ");
    turn.append(new Option("which?", ""), ...question.turns.map((one) => new Option(String(one), String(one))));
    needs.append(turn);
    const needed = () => {
      const now = answerTo(item, question) || {};
      needs.hidden = !(question.turn_for && now.value === question.turn_for);
    };
    for (const choice of question.choices) {
      const label = made("label");
      const input = made("input");
      input.type = "radio";
      input.name = name;
      input.value = choice.value;
      input.checked = given.value === choice.value;
      input.addEventListener("change", () => {
        const part = { value: choice.value };
        if (choice.value !== question.turn_for) { part.turn = null; turn.value = ""; }
        change(item, question, part);
        needed();
      });
      label.append(input, document.createTextNode(choice.label));
      choices.append(label);
    }
    if (Number.isInteger(given.turn)) turn.value = String(given.turn);
    turn.addEventListener("change", () => change(item, question, { turn: turn.value === "" ? null : Number(turn.value) }));
    if (question.turn_for) more.append(needs);
    if (question.why) {
      const why = made("input", "why");
      why.placeholder = "Why, in one line";
      why.setAttribute("aria-label", "Why, in one line");
      why.maxLength = 1000;
      why.value = given.why || "";
      why.addEventListener("input", () => change(item, question, { why: why.value }));
      more.append(why);
    }
    needed();
    box.append(choices, more);
    return box;
  }

  function show(at) {
    state.at = Math.min(Math.max(0, at), sheet.items.length - 1);
    keep();
    const item = sheet.items[state.at];
    const left = made("div", "panel");
    left.append(...item.shows.map(dialogue));
    if (item.note) {
      const note = made("details", "note");
      note.append(made("summary", "", sheet.notes[item.note].title), made("p", "pre", sheet.notes[item.note].text));
      left.append(note);
    }
    const right = made("div", "panel asked");
    right.append(made("h3", "", item.title));
    if (item.guide) right.append(made("p", "pre", sheet.guides[item.guide]));
    right.append(...item.questions.map((question) => asks(item, question)));
    const two = made("div", "two");
    two.append(left, right);
    place("item").replaceChildren(two);
    place("item").dataset.item = item.id;
    place("items").value = String(state.at);
    place("back").disabled = state.at === 0;
    place("next").disabled = state.at === sheet.items.length - 1;
    const focus = left.querySelector(".focus");
    if (focus) focus.scrollIntoView({ block: "nearest" });
    else scrollTo(0, Math.min(scrollY, place("item").offsetTop));
    count();
  }

  function count() {
    const done = sheet.items.filter(answered).length;
    place("done").value = done;
    place("counted").textContent = `${done} of ${sheet.items.length} answered`;
    const option = place("items").options[state.at];
    option.textContent = caption(state.at);
  }
  function caption(at) {
    return `${at + 1}${answered(sheet.items[at]) ? " ✓" : ""}`;
  }
  function nextOpen() {
    const many = sheet.items.length;
    for (let step = 1; step <= many; step++) {
      const at = (state.at + step) % many;
      if (!answered(sheet.items[at])) return show(at);
    }
    tell("Every item is answered: press “Save answers”.");
  }

  /* ---- files ---- */
  function finished() {
    const answers = {};
    for (const item of sheet.items) {
      for (const question of item.questions) {
        if (!complete(item, question)) continue;
        const { value, turn, why } = answerTo(item, question);
        const answer = { value, why: (why || "").trim() };
        if (Number.isInteger(turn)) answer.turn = turn;
        (answers[item.id] || (answers[item.id] = {}))[question.id] = answer;
      }
    }
    return answers;
  }
  function save() {
    const rater = place("rater").value.trim();
    if (!rater) {
      tell("Please give your name first: answers of several raters are told apart by it.");
      return place("rater").focus();
    }
    const file = { format: "outboundeval-ratings", version: 1, sheet: sheet.id, rater, saved_at: new Date().toISOString(), answers: finished() };
    const plain = rater.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "") || "rater";
    const link = made("a");
    link.href = URL.createObjectURL(new Blob([JSON.stringify(file, null, 1)], { type: "application/json" }));
    link.download = `ratings-${plain}.json`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    const open = sheet.items.length - sheet.items.filter(answered).length;
    tell(`Saved as ${link.download}.` + (open ? ` ${open} of ${sheet.items.length} items are still open.` : ""));
  }
  async function load(file) {
    try {
      const read = JSON.parse(await file.text());
      if (read.format !== "outboundeval-ratings" || read.sheet !== sheet.id) throw new Error("it belongs to another sheet");
      state.answers = read.answers;
      state.rater = place("rater").value = String(read.rater).slice(0, 60);
      start();
      tell(`Going on from ${file.name}.`);
    } catch (error) { tell(`${file.name} cannot be used: ${error.message}`); }
  }

  function start() {
    place("rater").value = state.rater;
    place("items").replaceChildren(...sheet.items.map((item, at) => new Option(caption(at), String(at))));
    show(state.at);
  }

  place("back").addEventListener("click", () => show(state.at - 1));
  place("next").addEventListener("click", () => show(state.at + 1));
  place("open").addEventListener("click", nextOpen);
  place("items").addEventListener("change", (event) => show(Number(event.target.value)));
  place("save").addEventListener("click", save);
  place("rater").addEventListener("input", (event) => { state.rater = event.target.value; keep(); });
  place("load").addEventListener("change", (event) => { if (event.target.files[0]) load(event.target.files[0]); });
  document.addEventListener("keydown", (event) => {
    const typing = event.target.matches("textarea, select, input:not([type=radio])");
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "ArrowRight") return event.preventDefault(), show(state.at + 1);
    if (event.key === "ArrowLeft") return event.preventDefault(), show(state.at - 1);
    const questions = sheet.items[state.at].questions;
    if (questions.length === 1 && questions[0].choices.some((choice) => choice.value === event.key)) {
      return document.querySelector(`#item input[type=radio][value="${CSS.escape(event.key)}"]`).click();
    }
    if (event.key === "n" || event.key === "N") nextOpen();
  });

  restore();
  if (state.rater) place("intro").open = false;
  start();
})();
