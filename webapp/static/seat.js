// The link of a seat: its secret goes into the form. It stays in the address line until the form is sent, so that
// loading the page again or choosing another language does not lose it.
const form = document.getElementById("take-seat");

function read() {
  const secret = location.hash.slice(1);
  if (!/^[\w-]{22}$/.test(secret)) return;
  form.elements.key.value = secret;
  form.querySelector(".key").hidden = true;
  for (const link of document.querySelectorAll(".languages a")) link.hash = secret;
}

form.addEventListener("submit", () => history.replaceState(null, "", location.pathname));
addEventListener("hashchange", read); // a newer link was opened in the same tab
read();
