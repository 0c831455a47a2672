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
  const cards = document.getElementById("objectives");
  // At once, for it takes room: a swatch below must not move away from a finger when an answer comes in.
  const nameChosen = () => {
    const boxes = [...form.querySelectorAll("[name=public]:checked")];
    const names = boxes.map(({ parentElement: card }) => {
      const name = document.createElement("span");
      name.append(card.querySelector(".diagram").cloneNode(true), card.querySelector(".objective-name").textContent);
      return name;
    });
    if (form.querySelector("[name=public]")) cards.querySelector(".chosen").replaceChildren(...names);
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
      nameChosen();
      choose({ public: checked() });
      if (checked().length === MOST) fold(cards, target);
    } else if (name === "private") {
      choose({ private: value || null });
      if (value) fold(document.getElementById("secret"), target);
    } else if (name === "window") choose({ window: value });
    else if (name === "favor_tokens") step(0);
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

  // What is missing leads to where it is chosen.
  document.addEventListener("click", (event) => {
    const link = event.target.closest(".missing a[href^='#']");
    if (!link) return;
    event.preventDefault(); // the browser would take the focus away again
    const place = document.querySelector(link.hash);
    (place.closest("details") ?? place).open = true;
    place.scrollIntoView();
    place.querySelector("input:checked, input:not([type=hidden])").focus({ preventScroll: true });
  });

  // Show what the server holds: after a change, or after a refused one.
  function show() {
    const state = model.state;
    form.elements.revision.value = state.revision;
    if (document.activeElement !== form.elements.board) form.elements.board.value = state.board.replaceAll(" / ", "\n");
    if (sent) return;
    for (const box of form.querySelectorAll("[name=public]")) box.checked = state.choices.public.includes(box.value);
    nameChosen();
    for (const dot of form.querySelectorAll("[name=private]")) dot.checked = dot.value === (state.choices.private ?? "");
    form.querySelector(".more-privates:has(:checked)")?.setAttribute("open", "");
    favor.value = state.choices.favor_tokens;
    form.elements.window.value = state.choices.window;
  }
  model.addEventListener("changed", show);
  model.addEventListener("refused", show);
}

// What is chosen makes room: at once for a finger, and for the keyboard when it goes on.
function fold(details, at) {
  if (!details) return;
  if (at.matches(":focus-visible")) {
    details.addEventListener("focusout", ({ relatedTarget }) => {
      if (relatedTarget && !details.contains(relatedTarget)) details.open = false;
    });
    return;
  }
  details.open = false;
  details.querySelector("summary").focus({ preventScroll: true });
  details.scrollIntoView({ block: "nearest" });
}
