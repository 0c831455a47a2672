// A photo that could not be read: corners by hand lead on to the window.
import { cornerTool } from "./corners.js";
import { Model } from "./model.js";
import { words } from "./words.js";

const model = new Model(JSON.parse(document.getElementById("state").textContent));
const { next } = document.querySelector(".ways").dataset; // where a photo taken only for its card leads
const tool = cornerTool(model, { done: () => (next ? location.assign(next) : location.reload()) });
document.getElementById("unread-corners").addEventListener("click", () => tool.start());
document.getElementById("delete").addEventListener("submit", (event) => { if (!confirm(words.delete)) event.preventDefault(); });
