"""Mistakes in who may do and see what: sessions, cookies, the socket, forms and the age check."""

from tools.mistakes.mistake import Edit, Mistake

ACCESS = (
    Mistake(
        "the event guard is off",
        (
            Edit(
                "marketplace_app/states/events/guard.py",
                "            return await self._decide(root, event)\n",
                "            return Verdict.RUN\n",
            ),
        ),
        ("tests/states/events/test_guard.py", "tests/states/events/test_subscriptions.py"),
    ),
    Mistake(
        "any origin may open the socket",
        (
            Edit("rxconfig.py", "cors_allowed_origins=list(settings.origins)", 'cors_allowed_origins=["*"]'),
            Edit(
                "marketplace_app/web/request_filter.py",
                "    return (origin is not None and origin not in origins) or site not in",
                "    return site not in",
            ),
        ),
        ("tests/web/test_request_filter.py",),
    ),
    Mistake(
        "orders are not filtered by customer",
        (
            Edit(
                "marketplace_app/services/buying/orders.py",
                "return col(Order.user_id) == user.id, col(Order.deleted_at).is_(None)\n",
                "return (col(Order.deleted_at).is_(None),)\n",
            ),
        ),
        ("tests/api/test_foreign_ids.py", "tests/services/buying/test_orders.py"),
    ),
    Mistake(
        "a ban or 'Sign Out Everywhere' leaves sessions alive",
        (
            Edit(
                "marketplace_app/services/sessions.py",
                "    session.execute(delete(SignInSession).where(col(SignInSession.user_id) == user.id))\n",
                "",
            ),
        ),
        ("tests/auth/test_acting.py", "tests/services/admin/test_user_actions.py"),
    ),
    Mistake(
        "an age pass counts without a valid signature",
        (
            Edit(
                "marketplace_app/auth/cookies.py",
                'return _verified_value(read(header, age_pass_name()), "age", AGE_PASS_LIFETIME) == "21"',
                "return bool(read(header, age_pass_name()))",
            ),
        ),
        ("tests/api/test_sign_in.py",),
    ),
    Mistake(
        "a toast is a script that the browser evaluates",
        (
            Edit(
                "marketplace_app/states/buying/cart.py",
                '        await toast(self, "success", messages.added(line.product.name))\n',
                "        return rx.toast.success(messages.added(line.product.name).text)\n",
            ),
        ),
        ("tests/states/test_scripts.py",),
    ),
    Mistake(
        "cookies are logged",
        (
            Edit(
                "marketplace_app/web/logs.py",
                'text = redact(text).replace("\\n", "\\n  ")',
                'text = text.replace("\\n", "\\n  ")',
            ),
        ),
        ("tests/web/test_logs.py",),
    ),
    Mistake(
        "a tab's token is enough without its cookie",
        (
            Edit(
                "marketplace_app/states/events/guard.py",
                "bool(viewer._user_id not in (None, user_id) or lost)\n",
                "bool(lost and user)\n",
            ),
        ),
        ("tests/e2e/test_socket.py::test_anothers_tab_token_restores_nothing",),
    ),
    Mistake(
        "rates are counted per session",
        (
            Edit(
                "marketplace_app/api/deps.py",
                "    return rate_key(known_sessions.user_id_of(token), client_address(request.scope))",
                '    return f"session:{token}" if token else rate_key(None, client_address(request.scope))',
            ),
        ),
        ("tests/api/test_rates.py",),
    ),
    Mistake(
        "a form that is sent twice is also recorded for the next stop",
        (
            Edit(
                "marketplace_app/states/events/base.py",
                "    return form_key is not None and form_key != str(state.form_key)\n",
                "    return False\n",
            ),
        ),
        ("tests/states/test_sent_once.py",),
    ),
)
