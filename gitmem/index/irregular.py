"""English forms that no rule leads back to their base: `bought` is looked for as `buy`."""

from __future__ import annotations

from functools import cache

_FORMS = """
    buy bought; get got gotten; go went gone; take took taken; make made; give gave given; see saw seen;
    come came; find found; think thought; tell told; know knew known; become became; leave left;
    feel felt; bring brought; begin began begun; keep kept; hold held; write wrote written; stand stood;
    hear heard; mean meant; meet met; run ran; pay paid; sit sat; speak spoke spoken; lead led;
    grow grew grown; lose lost; fall fell fallen; send sent; build built; understand understood;
    draw drew drawn; break broke broken; spend spent; rise rose risen; drive drove driven;
    wear wore worn; choose chose chosen; eat ate eaten; teach taught; catch caught; fight fought;
    sell sold; sleep slept; win won; sing sang sung; swim swam swum; drink drank drunk;
    ride rode ridden; fly flew flown; throw threw thrown; steal stole stolen; forget forgot forgotten;
    forgive forgave forgiven; hide hid hidden; shake shook shaken; shoot shot; lend lent; bend bent;
    feed fed; bite bit bitten; blow blew blown; show shown; say said; wake woke woken;
    freeze froze frozen; lie lay lain; dig dug; hang hung; seek sought; shine shone;
    strike struck; sink sank sunk; sweep swept; swear swore sworn; tear tore torn; weave wove woven;
    weep wept; ring rang rung; spring sprang sprung; stick stuck; swing swung; deal dealt; dream dreamt;
    learn learnt; burn burnt; spell spelt; spin spun; creep crept; flee fled; lay laid; light lit;
    child children; man men; woman women; foot feet; tooth teeth; mouse mice; person people; goose geese;
    life lives; wife wives; knife knives; leaf leaves; shelf shelves; half halves; wolf wolves;
    loaf loaves; thief thieves; calf calves; good better best; bad worse worst; index indices;
    analysis analyses; criterion criteria; datum data; matrix matrices; vertex vertices
    """


def _stem(word: str) -> str:
    # A write compares words without stems, and does not load the stemmer.
    from gitmem.index.stemming import stem

    return stem(word)


@cache
def _bases() -> dict[str, str]:
    groups = [line.split() for line in _FORMS.split(";")]
    return {_stem(form): _stem(base) for base, *forms in groups for form in forms}


def base_stem(word: str) -> str:
    """The stem of the base form of `word`, which is in lower case."""
    found = _stem(word)
    return _bases().get(found, found)


def bases_of(prefix: str) -> set[str]:
    """The stems of the bases of irregular forms that may begin with `prefix`: `buy` for `bough`."""
    return {base for form, base in _bases().items() if form.startswith(prefix) or prefix.startswith(form)}
