"""Stand-ins for OpenAI, Ollama and Tavily: small servers that speak their protocols over real HTTP on loopback."""
