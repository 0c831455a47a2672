// Finding entries of the rules by what a person types, as webapp/services/rulebook/search.py does: here on the words
// that it folded, so that the page goes on without that computer.
const VOICED = "\u3099\u309a"; // marks that make another syllable of a Japanese one, and so are no accents
const RUNS = new RegExp(
  `(?<kanji>[\\u3005\\u3400-\\u9fff]+)|(?<katakana>(?:[\\u30a1-\\u30ff][${VOICED}]?)+)`
  + `|(?<hiragana>(?:[\\u3041-\\u3096\\u30fc][${VOICED}]?)+)|(?:(?![\\u3005\\u3041-\\u30ff\\u3400-\\u9fff])[\\p{L}\\p{N}])+`, "gu");
const JAPANESE = /[\u3005\u3041-\u30ff\u3400-\u9fff]/u;
const [EXACT, BEGINNING, STEM, TYPO] = [4, 3, 2, 1];
const PLACES = [["title", 6, true], ["keywords", 4, true], ["text", 2, false]];

function wordsOf(text) {
  const kept = text.toLowerCase().normalize("NFKD").replace(/(?![\u3099\u309a])\p{M}/gu, "");
  return [...kept.matchAll(RUNS)].map((run) => [
    run[0].replace(/[\u30a1-\u30f6]/gu, (one) => String.fromCharCode(one.charCodeAt(0) - 0x60)),
    run.groups.hiragana !== undefined,
  ]);
}

// The words of a question that say what it is about; all of them when none does.
export function asked(query, skipped) {
  const all = wordsOf(query), fillers = new Set(skipped.split(" "));
  const telling = all.filter(([word, isFiller]) => !isFiller && !fillers.has(word));
  return (telling.length ? telling : all).map(([word]) => word);
}

// The entries that have at least half of the words, the best first.
export function ranked(entries, words) {
  if (!words.length) return [];
  return entries
    .map((entry) => [entry, words.map((word) => pointsOf(word, entry))])
    .filter(([, points]) => 2 * points.filter(Boolean).length >= words.length)
    .map(([entry, points]) => [entry, points.reduce((sum, one) => sum + one, 0)])
    .sort(([one, points], [other, more]) => more - points || one.number - other.number)
    .map(([entry]) => entry);
}

function pointsOf(word, entry) {
  return Math.max(...PLACES.map(([place, weight, typos]) =>
    weight * Math.max(0, ...entry[place].map((one) => likeness(word, one, typos)))));
}

function likeness(asked, word, typos) {
  if (asked === word) return EXACT;
  if (JAPANESE.test(asked)) {
    if (word.includes(asked)) return BEGINNING;
    if (word.length > 1 && asked.includes(word)) return STEM;
  } else if (asked.length > 1 && word.startsWith(asked)) {
    return BEGINNING;
  } else if (sameStem(asked, word)) {
    return STEM;
  }
  return typos && near(asked, word) ? TYPO : 0;
}

function sameStem(one, other) {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  return same >= Math.max(4, one.length - 3, other.length - 3);
}

function near(one, other) {
  const allowed = one.length >= 8 ? 2 : 1;
  if (one.length < 4 || Math.abs(one.length - other.length) > allowed) return false;
  let earlier, before = [], row = Array.from({ length: other.length + 1 }, (_, place) => place);
  for (let i = 1; i <= one.length; i += 1) {
    [earlier, before, row] = [before, row, [i]];
    for (let j = 1; j <= other.length; j += 1) {
      let steps = Math.min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (one[i - 1] !== other[j - 1]));
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]) steps = Math.min(steps, earlier[j - 2] + 1);
      row.push(steps);
    }
  }
  return row[other.length] <= allowed;
}
