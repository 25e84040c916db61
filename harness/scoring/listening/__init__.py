"""A listening test by people: one page out, their ratings back, those who did not listen set aside.

::

    runs -> stretches -> items -> sheet + key -> page        (export)
    files of raters -> answers -> screening -> figures -> scores.json, result-SHEET.json   (import)
"""
