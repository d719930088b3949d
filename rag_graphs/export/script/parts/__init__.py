"""Parts of an exported script: they take the place of the app's own components, on `langchain-openai` alone.

They run in exported scripts only. The bundler reads them as text; nothing of the app imports them.
"""
