// Objectives, private color, window card and favor tokens: every choice counts at once.
import { tell, words } from "./words.js";

const MOST = 3;

export function choices(model, form) {
  let sent = 0; // choices whose answer is not here yet: an older answer must not take them back
  const choose = (choice) => {
    sent += 1;
    model.choose(choice).finally(() => { sent -= 1; show(); });
  };
  const checked = () => [...form.querySelectorAll("[name=public]:checked")].map((box) => box.value);
  // The last choice closes the sheet: at once for a finger; with the keyboard one may go on to others.
  const leave = (choice) => {
    const other = form.elements.other_points;
    const others = other?.value && other.validity.valid ? 1 : 0;
    const all = form.querySelector("[name=public][type=checkbox]") ? checked().length + others >= MOST : !other || others;
    if (all && form.elements.private.value && !choice.matches(":focus-visible")) choice.closest("dialog").close();
  };

  document.addEventListener("change", ({ target }) => {
    if (target.form !== form) return; // some of its fields stand elsewhere on the page
    const { name, value } = target;
    if (name === "public") {
      if (checked().length > MOST) {
        target.checked = false;
        tell(words.three, { bad: true });
        return;
      }
      choose({ public: checked() });
      leave(target);
    } else if (name === "private") {
      choose({ private: value || null });
      leave(target);
    } else if (name === "window") choose({ window: value });
    else if (name === "favor_tokens") step(0);
    else if (name === "other_points" && target.reportValidity()) choose({ other_points: value === "" ? null : Number(value) });
  });

  document.addEventListener("click", ({ target }) => {
    const { private: color } = target.closest("[data-private]")?.dataset ?? {};
    if (color) choose({ private: color });
  });

  const favor = form.elements.favor_tokens;
  function step(by) {
    const wanted = Math.round(Number(favor.value) || 0) + by;
    favor.value = Math.min(Number(favor.max), Math.max(0, wanted));
    choose({ favor_tokens: Number(favor.value) });
  }
  form.addEventListener("click", (event) => {
    const button = event.target.closest("[data-step]");
    if (button) step(Number(button.dataset.step));
  });

  // Show what the server holds: after a change, or after a refused one.
  function show() {
    const state = model.state;
    form.elements.revision.value = state.revision;
    if (document.activeElement !== form.elements.board) form.elements.board.value = state.board.replaceAll(" / ", "\n");
    if (sent) return;
    for (const box of form.querySelectorAll("[name=public]")) box.checked = state.choices.public.includes(box.value);
    for (const dot of form.querySelectorAll("[name=private]")) dot.checked = dot.value === (state.choices.private ?? "");
    form.querySelector(".more-privates:has(:checked)")?.setAttribute("open", "");
    favor.value = state.choices.favor_tokens;
    const other = form.elements.other_points; // the host may bring it and take it away
    if (other && document.activeElement !== other) other.value = state.choices.other_points ?? "";
    form.elements.window.value = state.choices.window;
  }
  model.addEventListener("changed", show);
  model.addEventListener("refused", show);
  document.getElementById("objectives").addEventListener("close", show); // what cannot be counted does not stay
}
