use crate::read::extract::cases;
use crate::read::format::Format;

fn check(skips_code: bool, cases: &[(&str, &str)]) {
    cases::check(Format::Rst, skips_code, cases);
}

#[test]
fn words_count_and_markup_does_not() {
    check(
        false,
        &[
            ("=====\n标题 T\n=====\n\n文 text", "\n标题 T\n\n\n文 text"),
            ("Sub\n---\ntext", "Sub\n\ntext"),
            ("**f**\\ oo *强调* ``co  de`` a*b", "foo 强调 co  de a*b"),
            ("* a\n- 列表\n#. c\n3. d", "a\n列表\n#. c\nd"),
            ("| 行 one\n| two", "行 one\ntwo"),
            (
                "+---+---+\n| a | 表 |\n+===+===+\n| c | d |\n+---+---+",
                "\na 表\n\nc d\n",
            ),
            ("==== ====\na    b\n==== ====", "\na    b\n"),
            ("a\\*b ...", "a*b ..."),
            ("term\n  定义", "term\n定义"),
            ("text ``open", "text ``open"),
            ("", ""),
        ],
    );
}

#[test]
fn links_and_roles_are_their_texts() {
    check(
        false,
        &[
            (":ref:`文字 <target>` and :class:`~a.b.C`", "文字 and a.b.C"),
            (
                "`link <http://a.b>`_ `name`_ word_ `x`__",
                "link name word x",
            ),
            ("脚注 [1]_ [#a]_ x", "脚注   x"),
            (".. [1] note 文", "note 文"),
            ("版本 |release| 和 :kbd:`Ctrl`", "版本  和 Ctrl"),
            (
                ".. _target: http://a.b\n   /c\n__ http://x\n\ntext",
                "\n\n\n\ntext",
            ),
            ("12:30 a:b:c", "12:30 a:b:c"),
        ],
    );
}

#[test]
fn what_is_marked_may_go_on_in_the_next_line() {
    check(
        false,
        &[
            (
                "See the `very long\nlink text <https://example.org/x>`_ and\n`b <c>`_.",
                "See the very long\nlink text and\nb.",
            ),
            (
                "* :ref:`other\n  page <target-name>` x\n* `a\n  <b>`_ c",
                "other\npage x\na\n c",
            ),
            (
                "a `b <https://long\n/target>`__ c\n**d\ne** ``f\n  g`` h",
                "a b\n c\nd\ne f\ng h",
            ),
            (
                ".. note:: See `a\n   b <c>`_\n\n.. [1] The `a\n   b <c>`_",
                "See a\nb\n\nThe a\nb",
            ),
            (":param x: the `a\n   b <c>`_ of x\n   :alt: d", "\n\n"),
            ("t\n\n:param x: `a\n   b <c>`_", "t\n\nparam x a\nb"),
            // What is not closed in its paragraph, or its item, is a mark.
            ("a `b\n\nc` d\n* `e\n* f`", "a `b\n\nc` d\n`e\nf`"),
            ("`a\n-----\nb`", "`a\n\nb`"),
            ("a [b\n]_ |c\nd| *e\n* f", "a [b\n]_ |c\nd| *e\nf"),
        ],
    );
}

#[test]
fn directives_are_what_they_show() {
    check(
        false,
        &[
            (".. note::\n\n   内容 *a*\n\n后", "\n\n内容 a\n\n后"),
            (".. note:: 标题 a\n   :class: x\n\n   b", "标题 a\n\n\nb"),
            (
                ".. image:: a.png\n   :alt: 替代 text\n   :width: 5\n\nb",
                "\n替代 text\n\n\nb",
            ),
            (".. figure:: a.png\n   :name: x\n\n   说明", "\n\n\n说明"),
            (
                ".. toctree::\n   :maxdepth: 2\n   :caption: 目录 one\n\n   a\n   标题 *b* <c>\n\nd",
                "\n\n目录 one\n\n\n标题 b\n\nd",
            ),
            (
                ".. toctree::\n   :hidden:\n\n   Title <c>\n\nd",
                "\n\n\n\n\nd",
            ),
            (".. include:: a.rst\n.. contents:: x\n\na", "\n\n\na"),
            (
                ".. code-block:: python\n   :linenos:\n\n   def *a*():\n       pass\n\nb",
                "\n\n\n   def *a*():\n       pass\n\nb",
            ),
            ("Example::\n\n  *code*\n\n后", "Example\n\n  *code*\n\n后"),
            ("a\n\n::\n\n  code\nb", "a\n\n\n\n  code\nb"),
            (".. A comment\n   goes on\n\n   so\nb", "\n\n\n\nb"),
            ("..\n   hidden\n   so\n\n   *and*\nb", "\n\n\n\n\nb"),
            ("..\n\n   shown\n\nb", "\n\nshown\n\nb"),
            ("..\nb", "\nb"),
            (".. |x| replace:: 文 y\n\nb", "文 y\n\nb"),
            (".. versionadded:: 2.0\n   新的", "2.0\n新的"),
            (".. ifconfig:: a in b\n\n   文 *a*", "\n\n文 a"),
            (".. math:: a*b*c", "a*b*c"),
            (
                ".. py:function:: f(a)\n\n   :param a: 说明",
                "f(a)\n\nparam a 说明",
            ),
            (
                ":orphan:\n:author: x\n\nT\n=\n\n:field: 值",
                "\n\n\nT\n\n\nfield 值",
            ),
            (
                ".. list-table:: 标题\n   :widths: 1 2\n\n   * - a\n     - b",
                "标题\n\n\na\nb",
            ),
        ],
    );
}

#[test]
fn options_that_are_shown_are_text() {
    check(
        false,
        &[
            (
                ".. csv-table:: 标题 a\n   :header: \"Name\", \"描述\"\n   :widths: 1, 2\n\n   \"x\", \"y\"",
                "标题 a\n\"Name\", \"描述\"\n\n\n\"x\", \"y\"",
            ),
            (
                ".. csv-table::\n   :header: one,\n     two\n   :name: no,\n     no\n   :file: no.csv",
                "\none,\ntwo\n\n\n",
            ),
            (
                ".. code-block:: c\n   :caption: 代码 *x*\n   :name: no\n\n   :alt: y",
                "\n代码 x\n\n\n   :alt: y",
            ),
            (".. literalinclude:: a.c\n   :caption: T", "\nT"),
            (
                ".. sidebar:: 标题\n   :subtitle: Sub\n   :class: no\n\n   a",
                "标题\nSub\n\n\na",
            ),
            (
                ".. figure:: a.png\n   :alt: 图\n     goes on\n   :target: no\n\n   说明",
                "\n图\ngoes on\n\n\n说明",
            ),
            (
                ".. note:: long\n   title\n   :class: no\n\n   b",
                "long\ntitle\n\n\nb",
            ),
            (
                ".. admonition:: 标题 T\n   :class: no\n\n   a\n\n.. rubric:: 小 *r*",
                "标题 T\n\n\na\n\n小 r",
            ),
            (
                ".. meta::\n   :title: no\n   :description: no\n\na",
                "\n\n\n\na",
            ),
        ],
    );
}

#[test]
fn raw_html_is_what_it_shows() {
    check(
        false,
        &[
            (
                ".. raw:: html\n   :class: no\n\n   <p>文 <b>x</b>\n\n   </p><script>no</script>\n\ny",
                "\n\n\n文 x\n\n\n\ny",
            ),
            (
                ".. raw:: html latex\n\n   <i>a</i>\n.. raw:: latex\n\n   \\no{x}\n\n   no\ny",
                "\n\na\n\n\n\n\n\ny",
            ),
            (".. raw:: html\n   :file: no.html\ny", "\n\ny"),
            (".. raw:: html\n\n   <p>a\n   <pre>b</pre>", "\n\na\nb"),
        ],
    );
    check(
        true,
        &[(".. raw:: html\n\n   <p>a\n   <pre>b</pre>", "\n\na\n")],
    );
}

#[test]
fn code_may_be_left_out() {
    check(
        true,
        &[
            ("a::\n\n  code\n\nb ``c``", "a\n\n\n\nb c"),
            (".. code:: js\n\n   code\n\n   more\nb", "\n\n\n\n\nb"),
            (
                ".. graphviz::\n   :caption: 图\n\n   digraph { a -> b }\n\nb",
                "\n图\n\n\n\nb",
            ),
            (">>> code\n1\n\nb", "\n\n\nb"),
        ],
    );
}
