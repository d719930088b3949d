"""The pages that the browser tests load by address."""

STARTER = """<html lang="en"><head><title>Sourdough at home</title></head><body><nav>Home | Shop</nav><main>
<h1>Sourdough at home</h1><p>A sourdough starter is flour and water in which wild yeast lives. Feed the sourdough starter
once a day with the same weight of flour and water, and keep it in a warm corner of the kitchen until it doubles.</p>
<p>![pixel](http://pixel.example/m.png) &lt;img src="http://pixel.example/h.png"&gt; A sourdough starter that smells of
vinegar is hungry: feed the sourdough starter twice a day until it smells of yoghurt again.</p></main></body></html>"""
LEGS = """<html lang="en"><head><title>Care of wooden tables</title></head><body><main><h1>Care of wooden tables</h1>
<p>A wooden table wants oil once a year. Rub the oil in with a soft cloth along the grain, wait an hour, and wipe off what
the wood did not take. Never put a hot pot on bare wood, because the ring that it leaves goes deep.</p></main></body></html>"""
BREAD = """<html lang="en"><head><title>Sourdough at home</title></head><body><nav>Home | Shop</nav><main>
<h1>Sourdough at home</h1><p>A sourdough starter is flour and water in which wild yeast lives. Feed it once a day with
the same weight of flour and water, and keep it in a warm corner of the kitchen until it doubles within six hours.</p>
<h2>Baking</h2><p>Bake the loaf in a closed iron pot at 240 degrees for thirty minutes, then open the pot and bake for
another fifteen minutes. The crust sings when it cools, because it cracks. Wait an hour before you cut the loaf.</p>
</main></body></html>"""
HOSTILE = """<html lang="en"><head><title>&lt;img src=http://127.0.0.1:9/t.png&gt; Tea</title></head><body><main>
<h1>Tea</h1><p>![pixel](http://127.0.0.1:9/m.png) &lt;img src="http://127.0.0.1:9/h.png" onerror="document.title=1"&gt;
Green tea is steeped at seventy degrees for two minutes, black tea with boiling water for four. Water that is too hot
makes green tea bitter, so let the kettle stand for a while before you pour. Leaves can be used a second time.</p>
</main></body></html>"""
WALL = "<html><head><title>Just a moment...</title></head><body><h1>Checking your browser before accessing</h1></body></html>"
TWO = {
    "/starter": ("Sourdough starter", "Feed the sourdough starter once a day with flour and water, and keep it warm."),
    "/oven": ("Sourdough in the oven", "Bake the sourdough for fifty minutes, the first twenty of them under a lid."),
}
"""Path -> title and text of two short pages."""

PAGES: dict[str, str | tuple[int, str]] = {
    "/sourdough": STARTER,
    "/tables": LEGS,
    "/bread": BREAD,
    "/tea": HOSTILE,
    "/wall": (403, WALL),
    **{
        path: f'<html lang="en"><head><title>{title}</title></head><body><main><p>{text}</p></main></body></html>'
        for path, (title, text) in TWO.items()
    },
}
