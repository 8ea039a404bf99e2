{
  const board = document.querySelector("tafl-board");
  const texts = JSON.parse(document.getElementById("texts").textContent);
  board.addEventListener("tafl-game", ({ detail: { state } }) => {
    const { outcome, turn } = state;
    const key = outcome ? `outcome.${outcome.reason}.${outcome.winner ?? "draw"}` : `web.analysis.to_move.${turn}`;
    document.querySelector("[data-said]").textContent = texts[key] ?? "";
  });
  for (const button of document.querySelectorAll("[data-do]")) {
    button.addEventListener("click", () => board[button.dataset.do]());
  }
}
