// Objectives, private color, window card and favor tokens: every choice counts at once.
import { tell, words } from "./words.js";

export function choices(model, form) {
  const checked = () => [...form.querySelectorAll("[name=public]:checked")].map((box) => box.value);

  form.addEventListener("change", (event) => {
    const { name, value } = event.target;
    if (name === "public") {
      if (checked().length > 3) {
        event.target.checked = false;
        tell(words.three, { bad: true });
        return;
      }
      model.choose({ public: checked() });
    } else if (name === "private") model.choose({ private: value || null });
    else if (name === "window") model.choose({ window: value });
    else if (name === "favor") step(0);
  });

  const favor = form.elements.favor;
  function step(by) {
    const wanted = Math.round(Number(favor.value) || 0) + by;
    favor.value = Math.min(Number(favor.max), Math.max(0, wanted));
    model.choose({ favor_tokens: Number(favor.value) });
  }
  form.addEventListener("click", (event) => {
    const button = event.target.closest("[data-step]");
    if (button) step(Number(button.dataset.step));
  });

  // Show what the server holds: after a change, or after a refused one.
  function show() {
    const state = model.state;
    for (const box of form.querySelectorAll("[name=public]")) box.checked = state.choices.public.includes(box.value);
    for (const dot of form.querySelectorAll("[name=private]")) dot.checked = dot.value === (state.choices.private ?? "");
    favor.value = state.choices.favor_tokens;
    form.elements.window.value = state.choices.window;
    form.elements.revision.value = state.revision;
    if (document.activeElement !== form.elements.board) form.elements.board.value = state.board.replaceAll(" / ", "\n");
  }
  model.addEventListener("changed", show);
  model.addEventListener("refused", show);
}
