// Says quietly that a page grows old, as long as the computer that serves it does not answer.
import { announce, say, words } from "./words.js";

const MISSED = 2; // one may be lost while a phone wakes up

export function away(root) {
  let missed = 0;
  let since = null;
  let banner = null;
  return {
    missed() {
      missed += 1;
      since ??= new Date();
      if (missed < MISSED || banner) return;
      const time = since.toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit" });
      banner = document.createElement("p");
      banner.className = "away";
      banner.textContent = say(words.away, { time });
      root.before(banner);
      announce(banner.textContent);
    },
    answered() {
      if (banner) announce(words.back);
      banner?.remove();
      missed = 0;
      since = banner = null;
    },
  };
}
