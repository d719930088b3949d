"""Who answers: the built-in engine, chat models, web searches, and the prompts they are given."""
