{
  // The part in the language of the address, or in that of the browser, comes first.
  const inAddress = location.protocol === "file:" ? [] : location.pathname.split("/");
  const wanted = [...inAddress, ...(navigator.languages ?? []).map((one) => one.slice(0, 2).toLowerCase())];
  const parts = [...document.querySelectorAll("main > section[lang]")];
  const own = wanted.map((code) => parts.find((part) => part.lang === code)).find(Boolean);
  if (own && own !== parts[0]) parts[0].before(own);
}
