"""What a strategy is: the state, the components' types, routes, nodes, strategies and the papers' formulas."""
