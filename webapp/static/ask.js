// What the server has no time for is asked once more, when it says so: it did nothing of it.
const TRIES = 5;
const LONGEST_S = 15; // whoever has to wait longer is told so

// How long to wait before the next try, in milliseconds; 0 where that would not help. Many may wait for the same thing,
// and do not all come back at once.
export function pause(status, after, tried) {
  const seconds = [429, 503].includes(status) && tried < TRIES ? Number(after) : 0;
  return seconds > 0 && seconds <= LONGEST_S ? 1000 * seconds * (1 + Math.random() / 2) : 0;
}

// Like fetch.
export async function ask(address, options = {}) {
  for (let tried = 0; ; tried += 1) {
    const answer = await fetch(address, options);
    const wait = pause(answer.status, answer.headers.get("Retry-After"), tried);
    if (!wait) return answer;
    await new Promise((resolve) => { setTimeout(resolve, wait); });
  }
}
