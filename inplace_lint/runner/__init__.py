"""From paths to a finished run: discovery, the project's modules, supervised workers, merging.

    paths -> discovery -> jobs -> supervisor -> worker (a child: source, engine, checks) -> merging

The parent never imports libcst: a parser that dies takes a child with it, and one file is lost.
"""
