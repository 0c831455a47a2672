// The link of a seat: its secret goes into the form, and out of the address line and the browser's history.
const secret = location.hash.slice(1);
if (/^[\w-]{22}$/.test(secret)) {
  const form = document.getElementById("take-seat");
  form.elements.key.value = secret;
  form.querySelector(".key").hidden = true;
  history.replaceState(null, "", location.pathname);
}
