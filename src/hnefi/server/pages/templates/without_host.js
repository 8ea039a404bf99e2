if (location.protocol === "file:") location.replace(`${document.documentElement.dataset.root}open-me.html`);
