try{const t=localStorage.getItem("hnefi.theme");if(t)document.documentElement.dataset.theme=t}catch{}
