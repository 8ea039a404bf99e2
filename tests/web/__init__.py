"""The pages in a real browser, with a real server behind them."""
