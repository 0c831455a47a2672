// The words of the page in the visitor's language, and the one line that tells what happened.
import "./press.js"; // on every page

export const words = JSON.parse(document.getElementById("words").textContent);

export function say(sentence, values = {}) {
  return sentence.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

// A page that answers a form lies at the form's address: loading it again would send the form once more.
const { address } = document.body.dataset;
if (address) history.replaceState(history.state, "", address);

let timer;
export function tell(text, { bad = false } = {}) {
  const place = document.getElementById("message");
  const line = document.createElement("p");
  line.textContent = text;
  line.classList.toggle("bad", bad);
  place.replaceChildren(line);
  clearTimeout(timer);
  timer = setTimeout(() => line.remove(), bad ? 9000 : 2600);
}

// What was refused before is no longer so.
export function forgetProblem() {
  for (const one of document.querySelectorAll("#message .bad, #problem")) one.remove();
}

// For screen readers alone: everybody else sees it in its place on the page. A line that is shown stays.
export function announce(text) {
  const place = document.getElementById("message");
  for (const earlier of place.querySelectorAll(".sr")) earlier.remove();
  const line = document.createElement("p");
  line.className = "sr";
  line.textContent = text;
  place.append(line);
}

export function problemNotice({ code, message, next_step: nextStep }) {
  const notice = document.createElement("div");
  notice.className = "notice bad";
  notice.dataset.code = code;
  const first = document.createElement("p");
  const strong = document.createElement("strong");
  strong.textContent = message;
  first.append(strong);
  notice.append(first);
  if (nextStep) {
    const second = document.createElement("p");
    second.textContent = nextStep;
    notice.append(second);
  }
  return notice;
}

// Points as people read them: with a real minus sign, and a dash before there is anything to count.
export function points({ total, is_counted: isCounted }) {
  return isCounted ? String(total).replace("-", "−") : "–";
}

export function dieWords(die) {
  return die === "--" || !die ? words.empty : words.dice[die];
}
