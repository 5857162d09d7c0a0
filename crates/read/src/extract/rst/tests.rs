use crate::extract::cases::check;
use crate::format::Format;

#[test]
fn words_count_and_markup_does_not() {
    check(
        Format::Rst,
        r#"
=====⏎标题 T⏎=====⏎⏎文 text → ⏎标题 T⏎⏎⏎文 text
Sub⏎---⏎text → Sub⏎⏎text
**f**\ oo *强调* ``co  de`` a*b → foo 强调 co  de a*b
* a⏎- 列表⏎#. c⏎3. d → a⏎列表⏎#. c⏎d
| 行 one⏎| two → 行 one⏎two
+---+---+⏎| a | 表 |⏎+===+===+⏎| c | d |⏎+---+---+ → ⏎a 表⏎⏎c d⏎
==== ====⏎a    b⏎==== ==== → ⏎a    b⏎
a\*b ... → a*b ...
term⏎  定义 → term⏎定义
text ``open → text ``open
 →
---⏎title: x⏎---⏎:a: b⏎⏎文 → ⏎⏎⏎⏎⏎文
"#,
    );
}

#[test]
fn links_and_roles_are_their_texts() {
    check(
        Format::Rst,
        r#"
:ref:`文字 <target>` and :class:`~a.b.C` → 文字 and a.b.C
`link <http://a.b>`_ `name`_ word_ `x`__ → link name word x
脚注 [1]_ [#a]_ x → 脚注   x
.. [1] note 文 → note 文
版本 |release| 和 :kbd:`Ctrl` → 版本  和 Ctrl
.. _target: http://a.b⏎   /c⏎__ http://x⏎⏎text → ⏎⏎⏎⏎text
12:30 a:b:c → 12:30 a:b:c
"#,
    );
}

#[test]
fn marked_text_may_go_on_in_the_next_line() {
    check(
        Format::Rst,
        r#"
See the `very long⏎link text <https://example.org/x>`_ and⏎`b <c>`_. → See the very long⏎link text and⏎b.
* :ref:`other⏎  page <target-name>` x⏎* `a⏎  <b>`_ c → other⏎page x⏎a⏎ c
a `b <https://long⏎/target>`__ c⏎**d⏎e** ``f⏎  g`` h → a b⏎ c⏎d⏎e f⏎g h
.. note:: See `a⏎   b <c>`_⏎⏎.. [1] The `a⏎   b <c>`_ → See a⏎b⏎⏎The a⏎b
:param x: the `a⏎   b <c>`_ of x⏎   :alt: d → ⏎⏎
t⏎⏎:param x: `a⏎   b <c>`_ → t⏎⏎param x a⏎b
What is not closed in its paragraph, or its item, is a mark.
a `b⏎⏎c` d⏎* `e⏎* f` → a `b⏎⏎c` d⏎`e⏎f`
`a⏎-----⏎b` → `a⏎⏎b`
a [b⏎]_ |c⏎d| *e⏎* f → a [b⏎]_ |c⏎d| *e⏎f
"#,
    );
}

#[test]
fn directives_are_their_visible_text() {
    check(
        Format::Rst,
        r#"
.. note::⏎⏎   内容 *a*⏎⏎后 → ⏎⏎内容 a⏎⏎后
.. note:: 标题 a⏎   :class: x⏎⏎   b → 标题 a⏎⏎⏎b
.. image:: a.png⏎   :alt: 替代 text⏎   :width: 5⏎⏎b → ⏎替代 text⏎⏎⏎b
.. figure:: a.png⏎   :name: x⏎⏎   说明 → ⏎⏎⏎说明
.. toctree::⏎   :maxdepth: 2⏎   :caption: no⏎⏎   a⏎   no <c>⏎⏎d → ⏎⏎⏎⏎⏎⏎⏎d
.. include:: a.rst⏎.. contents:: x⏎⏎a → ⏎⏎⏎a
.. code-block:: python⏎   :linenos:⏎⏎   def *a*():⏎       pass⏎⏎b → ⏎⏎⏎   def *a*():⏎       pass⏎⏎b
Example::⏎⏎  *code*⏎⏎后 → Example⏎⏎  *code*⏎⏎后
a⏎⏎::⏎⏎  code⏎b → a⏎⏎⏎⏎  code⏎b
.. A comment⏎   goes on⏎⏎   so⏎b → ⏎⏎⏎⏎b
..⏎   hidden⏎   so⏎⏎   *and*⏎b → ⏎⏎⏎⏎⏎b
..⏎⏎   shown⏎⏎b → ⏎⏎shown⏎⏎b
..⏎b → ⏎b
.. |x| replace:: 文 y⏎   z⏎.. |logo| image:: a.png⏎   :alt: mark⏎⏎b |x| c →⏎⏎⏎⏎⏎b  c
.. versionadded:: 2.0⏎   新的 → 2.0⏎新的
.. ifconfig:: a in b⏎⏎   文 *a* → ⏎⏎文 a
.. math:: a*b*c → a*b*c
.. py:function:: f(a)⏎⏎   :param a: 说明 → f(a)⏎⏎param a 说明
:orphan:⏎:author: x⏎⏎T⏎=⏎⏎:field: 值 → ⏎⏎⏎T⏎⏎⏎field 值
.. list-table:: 标题⏎   :widths: 1 2⏎⏎   * - a⏎     - b → 标题⏎⏎⏎a⏎b
"#,
    );
}

#[test]
fn options_that_are_shown_are_text() {
    check(
        Format::Rst,
        r#"
.. csv-table:: 标题 a⏎   :header: "Name", "描述"⏎   :widths: 1, 2⏎⏎   "x", "y" → 标题 a⏎"Name", "描述"⏎⏎⏎"x", "y"
.. csv-table::⏎   :header: one,⏎     two⏎   :name: no,⏎     no⏎   :file: no.csv → ⏎one,⏎two⏎⏎⏎
.. code-block:: c⏎   :caption: 代码 *x*⏎   :name: no⏎⏎   :alt: y → ⏎代码 x⏎⏎⏎   :alt: y
.. literalinclude:: a.c⏎   :caption: T → ⏎T
.. sidebar:: 标题⏎   :subtitle: Sub⏎   :class: no⏎⏎   a → 标题⏎Sub⏎⏎⏎a
.. figure:: a.png⏎   :alt: 图⏎     goes on⏎   :target: no⏎⏎   说明 → ⏎图⏎goes on⏎⏎⏎说明
.. note:: long⏎   title⏎   :class: no⏎⏎   b → long⏎title⏎⏎⏎b
.. admonition:: 标题 T⏎   :class: no⏎⏎   a⏎⏎.. rubric:: 小 *r* → 标题 T⏎⏎⏎a⏎⏎小 r
.. meta::⏎   :title: no⏎   :description: no⏎⏎a → ⏎⏎⏎⏎a
"#,
    );
}

#[test]
fn input_of_other_programs_does_not_count() {
    check(
        Format::Rst,
        r#"
.. raw:: html⏎   :class: no⏎⏎   <p>no⏎⏎   </p>⏎⏎y → ⏎⏎⏎⏎⏎⏎⏎y
.. raw:: latex⏎⏎   \no{x}⏎⏎   no⏎y → ⏎⏎⏎⏎⏎y
"#,
    );
}
