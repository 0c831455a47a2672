// A phone that shows what everybody looks at does not go dark, where its browser can see to that.
let lock = null;
let wanted = false;

export async function stayAwake(isWanted) {
  wanted = isWanted;
  if (!wanted) { lock?.release(); lock = null; return; }
  if (lock && !lock.released) return;
  lock = await navigator.wakeLock?.request("screen").catch(() => null); // a battery that is low refuses it
  if (!wanted) stayAwake(false);
}

// The browser takes it back whenever the page is hidden.
document.addEventListener("visibilitychange", () => { if (wanted && !document.hidden) stayAwake(true); });
