// A phone that shows what everybody looks at does not go dark, where its browser can see to that.
const reasons = new Set();
let lock = null;
let isAsked = false;

export function stayAwake(reason, isWanted) {
  if (isWanted) reasons.add(reason);
  else reasons.delete(reason);
  settle();
}

async function settle() {
  if (isAsked) return; // it settles again when it is answered
  if (!reasons.size) { lock?.release(); lock = null; return; }
  if (lock && !lock.released) return;
  isAsked = true;
  lock = await navigator.wakeLock?.request("screen").catch(() => null); // a battery that is low refuses it
  isAsked = false;
  if (!reasons.size) settle();
}

// The browser takes it back whenever the page is hidden.
document.addEventListener("visibilitychange", () => { if (!document.hidden) settle(); });
