"""The first tables, the full-text index, and triggers that make the audit trail append-only."""

import sqlalchemy as sa

from alembic import op

revision = "0001"
down_revision = None

SQLITE_ONLY = (
    "CREATE VIRTUAL TABLE product_search USING fts5(name, kind, body, tokenize = 'unicode61', prefix = '2 3')",
    """CREATE TRIGGER audit_entries_keep_update BEFORE UPDATE ON audit_entries
       BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END""",
    """CREATE TRIGGER audit_entries_keep_delete BEFORE DELETE ON audit_entries
       BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END""",
)
POSTGRESQL_ONLY = (
    """CREATE TABLE product_search (
         product_id INTEGER PRIMARY KEY REFERENCES products (id) ON DELETE CASCADE,
         document TSVECTOR NOT NULL)""",
    "CREATE INDEX ix_product_search_document ON product_search USING gin (document)",
    """CREATE FUNCTION keep_audit_entries() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE EXCEPTION 'the audit trail is append-only'; END $$""",
    """CREATE TRIGGER audit_entries_keep BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entries
       FOR EACH STATEMENT EXECUTE FUNCTION keep_audit_entries()""",
)


def upgrade() -> None:
    op.create_table(
        "categories",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("hue", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("panel_position", sa.Integer(), nullable=False),
        sa.Column("is_active", sa.Boolean(), nullable=False),
        sa.CheckConstraint(
            "hue IN ('green', 'purple', 'orange', 'blue', 'grey')", name=op.f("ck_categories_hue_known")
        ),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_categories")),
    )
    op.create_table(
        "counters",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("value", sa.Integer(), nullable=False),
        sa.Column("text_value", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_counters")),
    )
    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("recipient", sa.String(), nullable=False),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_attempt_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
    )
    with op.batch_alter_table("outbox", schema=None) as batch_op:
        batch_op.create_index(
            "ix_outbox_waiting",
            ["next_attempt_at"],
            unique=False,
            sqlite_where=sa.text("sent_at IS NULL"),
            postgresql_where=sa.text("sent_at IS NULL"),
        )

    op.create_table(
        "users",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("issuer", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("verified_email", sa.String(), nullable=False),
        sa.Column("email", sa.String(), nullable=False),
        sa.Column("first_name", sa.String(), nullable=False),
        sa.Column("last_name", sa.String(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("age_verified_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("invited_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("banned_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ban_reason", sa.String(), nullable=False),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("referral_code", sa.String(), nullable=True),
        sa.Column("referred_by_id", sa.Integer(), nullable=True),
        sa.Column("first_purchase_discount_used", sa.Boolean(), nullable=False),
        sa.Column("referral_bonus_used", sa.Boolean(), nullable=False),
        sa.CheckConstraint("banned_at IS NULL OR ban_reason <> ''", name=op.f("ck_users_ban_has_reason")),
        sa.CheckConstraint("role IN ('customer', 'owner')", name=op.f("ck_users_role_known")),
        sa.CheckConstraint("referred_by_id <> id", name=op.f("ck_users_not_own_referrer")),
        sa.ForeignKeyConstraint(["referred_by_id"], ["users.id"], name=op.f("fk_users_referred_by_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_users")),
        sa.UniqueConstraint("issuer", "subject", name=op.f("uq_users_issuer_subject")),
        sa.UniqueConstraint("referral_code", name=op.f("uq_users_referral_code")),
    )
    with op.batch_alter_table("users", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_users_email"), ["email"], unique=False)
        batch_op.create_index(batch_op.f("ix_users_referred_by_id"), ["referred_by_id"], unique=False)

    op.create_table(
        "audit_entries",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("actor_id", sa.Integer(), nullable=True),
        sa.Column("action", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("details", sa.JSON(), nullable=False),
        sa.Column("previous_hash", sa.String(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["actor_id"], ["users.id"], name=op.f("fk_audit_entries_actor_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_entries")),
        sa.UniqueConstraint("hash", name=op.f("uq_audit_entries_hash")),
    )
    with op.batch_alter_table("audit_entries", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_audit_entries_action"), ["action"], unique=False)
        batch_op.create_index(batch_op.f("ix_audit_entries_actor_id"), ["actor_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_audit_entries_subject"), ["subject"], unique=False)

    op.create_table(
        "idempotency_keys",
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("body_hash", sa.String(), nullable=False),
        sa.Column("answer", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_idempotency_keys_user_id_users"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", "key", name=op.f("pk_idempotency_keys")),
    )
    op.create_table(
        "orders",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("referrer_id", sa.Integer(), nullable=True),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("subtotal_cents", sa.Integer(), nullable=False),
        sa.Column("delivery_fee_cents", sa.Integer(), nullable=False),
        sa.Column("new_customer_discount_cents", sa.Integer(), nullable=False),
        sa.Column("referral_discount_cents", sa.Integer(), nullable=False),
        sa.Column("credit_applied_cents", sa.Integer(), nullable=False),
        sa.Column("total_cents", sa.Integer(), nullable=False),
        sa.Column("quote_lines", sa.JSON(), nullable=False),
        sa.Column("payment_method", sa.String(), nullable=False),
        sa.Column("delivery_address", sa.String(), nullable=False),
        sa.Column("street", sa.String(), nullable=False),
        sa.Column("city", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("zip_code", sa.String(), nullable=False),
        sa.Column("contact_phone", sa.String(), nullable=False),
        sa.Column("delivery_instructions", sa.String(), nullable=False),
        sa.Column("payment_instructions", sa.String(), nullable=False),
        sa.Column("customer_name", sa.String(), nullable=False),
        sa.Column("customer_email", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("estimated_delivery_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("payment_method = 'cod'", name=op.f("ck_orders_payment_method_known")),
        sa.CheckConstraint(
            "status IN ('pending', 'confirmed', 'out_for_delivery', 'delivered', 'cancelled')",
            name=op.f("ck_orders_status_known"),
        ),
        sa.CheckConstraint(
            "total_cents = subtotal_cents + delivery_fee_cents - new_customer_discount_cents - referral_discount_cents - credit_applied_cents",
            name=op.f("ck_orders_total_adds_up"),
        ),
        sa.CheckConstraint("total_cents >= 0", name=op.f("ck_orders_total_not_negative")),
        sa.ForeignKeyConstraint(["referrer_id"], ["users.id"], name=op.f("fk_orders_referrer_id_users")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_orders_user_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_orders")),
        sa.UniqueConstraint("number", name=op.f("uq_orders_number")),
    )
    with op.batch_alter_table("orders", schema=None) as batch_op:
        batch_op.create_index("ix_orders_created_at", ["created_at"], unique=False)
        batch_op.create_index(batch_op.f("ix_orders_referrer_id"), ["referrer_id"], unique=False)
        batch_op.create_index("ix_orders_user_id_created_at", ["user_id", "created_at"], unique=False)
        batch_op.create_index(
            "uq_orders_first_purchase",
            ["user_id"],
            unique=True,
            sqlite_where=sa.text("new_customer_discount_cents > 0 AND status <> 'cancelled'"),
            postgresql_where=sa.text("new_customer_discount_cents > 0 AND status <> 'cancelled'"),
        )
        batch_op.create_index(
            "uq_orders_referral",
            ["user_id"],
            unique=True,
            sqlite_where=sa.text("referral_discount_cents > 0 AND status <> 'cancelled'"),
            postgresql_where=sa.text("referral_discount_cents > 0 AND status <> 'cancelled'"),
        )

    op.create_table(
        "products",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("sku", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("sort_name", sa.String().with_variant(sa.String(collation="C"), "postgresql"), nullable=False),
        sa.Column("description", sa.String(), nullable=False),
        sa.Column("ingredients", sa.String(), nullable=False),
        sa.Column("price_cents", sa.Integer(), nullable=False),
        sa.Column("category", sa.String(), nullable=False),
        sa.Column("type", sa.String(), nullable=False),
        sa.Column("potency", sa.String(), nullable=True),
        sa.Column("strain", sa.String(), nullable=True),
        sa.Column("brand", sa.String(), nullable=False),
        sa.Column("net_weight_grams", sa.Float(), nullable=True),
        sa.Column("thc_percent", sa.Float(), nullable=True),
        sa.Column("cbd_percent", sa.Float(), nullable=True),
        sa.Column("thc_mg", sa.Integer(), nullable=True),
        sa.Column("effects", sa.JSON(), nullable=False),
        sa.Column("flavors", sa.JSON(), nullable=False),
        sa.Column("terpenes", sa.JSON(), nullable=False),
        sa.Column("image", sa.String(), nullable=False),
        sa.Column("rating_tenths", sa.Integer(), nullable=False),
        sa.Column("review_count", sa.Integer(), nullable=False),
        sa.Column("stock", sa.Integer(), nullable=False),
        sa.Column("is_active", sa.Boolean(), nullable=False),
        sa.Column("is_featured", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("name <> ''", name=op.f("ck_products_name_given")),
        sa.CheckConstraint(
            "potency IN ('Low THC (15-20%)', 'Medium THC (20-25%)', 'High THC (25%+)')",
            name=op.f("ck_products_potency_known"),
        ),
        sa.CheckConstraint("strain IN ('Indica', 'Sativa', 'Hybrid')", name=op.f("ck_products_strain_known")),
        sa.CheckConstraint(
            "type IN ('Indica', 'Sativa', 'Hybrid', 'Pre-Roll', 'Eighth (3.5g)', 'Quarter (7g)', 'Half Oz (14g)', 'Full Oz (28g)')",
            name=op.f("ck_products_type_known"),
        ),
        sa.CheckConstraint("price_cents > 0", name=op.f("ck_products_price_positive")),
        sa.CheckConstraint("rating_tenths BETWEEN 0 AND 50", name=op.f("ck_products_rating_range")),
        sa.CheckConstraint("review_count >= 0", name=op.f("ck_products_reviews_not_negative")),
        sa.CheckConstraint("stock >= 0", name=op.f("ck_products_stock_not_negative")),
        sa.ForeignKeyConstraint(["category"], ["categories.name"], name=op.f("fk_products_category_categories")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_products")),
        sa.UniqueConstraint("sku", name=op.f("uq_products_sku")),
    )
    with op.batch_alter_table("products", schema=None) as batch_op:
        batch_op.create_index("ix_products_category_price", ["category", "price_cents"], unique=False)
        batch_op.create_index("ix_products_featured", ["is_active", "is_featured"], unique=False)
        batch_op.create_index("ix_products_sort_name", ["sort_name"], unique=False)

    op.create_table(
        "sessions",
        sa.Column("token_hash", sa.String(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_sessions_user_id_users"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_sessions")),
    )
    with op.batch_alter_table("sessions", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_sessions_user_id"), ["user_id"], unique=False)

    op.create_table(
        "cart_lines",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("product_id", sa.Integer(), nullable=False),
        sa.Column("quantity", sa.Integer(), nullable=False),
        sa.Column("added_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("quantity BETWEEN 1 AND 99", name=op.f("ck_cart_lines_quantity_range")),
        sa.ForeignKeyConstraint(
            ["product_id"], ["products.id"], name=op.f("fk_cart_lines_product_id_products"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_cart_lines_user_id_users"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_cart_lines")),
        sa.UniqueConstraint("user_id", "product_id", name=op.f("uq_cart_lines_user_id_product_id")),
    )
    with op.batch_alter_table("cart_lines", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_cart_lines_product_id"), ["product_id"], unique=False)

    op.create_table(
        "credit_entries",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("amount_cents", sa.Integer(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("order_id", sa.String(), nullable=True),
        sa.Column("sequence", sa.Integer(), nullable=False),
        sa.Column("note", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "reason IN ('referral', 'reversal', 'spent', 'refund', 'adjustment')",
            name=op.f("ck_credit_entries_reason_known"),
        ),
        sa.CheckConstraint("amount_cents <> 0", name=op.f("ck_credit_entries_amount_not_zero")),
        sa.ForeignKeyConstraint(["order_id"], ["orders.id"], name=op.f("fk_credit_entries_order_id_orders")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_credit_entries_user_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_credit_entries")),
        sa.UniqueConstraint(
            "order_id", "user_id", "reason", "sequence", name=op.f("uq_credit_entries_order_id_user_id_reason_sequence")
        ),
    )
    with op.batch_alter_table("credit_entries", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_credit_entries_user_id"), ["user_id"], unique=False)

    op.create_table(
        "lab_reports",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("product_id", sa.Integer(), nullable=False),
        sa.Column("lot", sa.String(), nullable=False),
        sa.Column("reported_on", sa.Date(), nullable=False),
        sa.Column("pesticides", sa.String(), nullable=False),
        sa.Column("heavy_metals", sa.String(), nullable=False),
        sa.Column("residual_solvents", sa.String(), nullable=False),
        sa.Column("microbials", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["product_id"], ["products.id"], name=op.f("fk_lab_reports_product_id_products"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_lab_reports")),
        sa.UniqueConstraint("product_id", name=op.f("uq_lab_reports_product_id")),
    )
    op.create_table(
        "order_lines",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("order_id", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("product_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("image", sa.String(), nullable=False),
        sa.Column("quantity", sa.Integer(), nullable=False),
        sa.Column("unit_price_cents", sa.Integer(), nullable=False),
        sa.CheckConstraint("quantity BETWEEN 1 AND 99", name=op.f("ck_order_lines_quantity_range")),
        sa.CheckConstraint("unit_price_cents > 0", name=op.f("ck_order_lines_price_positive")),
        sa.ForeignKeyConstraint(
            ["order_id"], ["orders.id"], name=op.f("fk_order_lines_order_id_orders"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["product_id"], ["products.id"], name=op.f("fk_order_lines_product_id_products")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_order_lines")),
        sa.UniqueConstraint("order_id", "product_id", name=op.f("uq_order_lines_order_id_product_id")),
    )
    with op.batch_alter_table("order_lines", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_order_lines_product_id"), ["product_id"], unique=False)

    op.create_table(
        "order_status_changes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("order_id", sa.String(), nullable=False),
        sa.Column("from_status", sa.String(), nullable=True),
        sa.Column("to_status", sa.String(), nullable=False),
        sa.Column("actor_id", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "to_status IN ('pending', 'confirmed', 'out_for_delivery', 'delivered', 'cancelled')",
            name=op.f("ck_order_status_changes_to_status_known"),
        ),
        sa.ForeignKeyConstraint(["actor_id"], ["users.id"], name=op.f("fk_order_status_changes_actor_id_users")),
        sa.ForeignKeyConstraint(
            ["order_id"], ["orders.id"], name=op.f("fk_order_status_changes_order_id_orders"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_order_status_changes")),
    )
    with op.batch_alter_table("order_status_changes", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_order_status_changes_order_id"), ["order_id"], unique=False)

    op.create_table(
        "stock_movements",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("product_id", sa.Integer(), nullable=False),
        sa.Column("change", sa.Integer(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("order_id", sa.String(), nullable=True),
        sa.Column("sequence", sa.Integer(), nullable=True),
        sa.Column("actor_id", sa.Integer(), nullable=True),
        sa.Column("note", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "reason IN ('opening', 'sale', 'cancel', 'adjust', 'import')", name=op.f("ck_stock_movements_reason_known")
        ),
        sa.CheckConstraint("change <> 0", name=op.f("ck_stock_movements_change_not_zero")),
        sa.ForeignKeyConstraint(["actor_id"], ["users.id"], name=op.f("fk_stock_movements_actor_id_users")),
        sa.ForeignKeyConstraint(["order_id"], ["orders.id"], name=op.f("fk_stock_movements_order_id_orders")),
        sa.ForeignKeyConstraint(["product_id"], ["products.id"], name=op.f("fk_stock_movements_product_id_products")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_stock_movements")),
        sa.UniqueConstraint(
            "order_id", "product_id", "sequence", name=op.f("uq_stock_movements_order_id_product_id_sequence")
        ),
    )
    with op.batch_alter_table("stock_movements", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_stock_movements_product_id"), ["product_id"], unique=False)

    op.execute(
        "INSERT INTO counters (name, value, text_value) VALUES ('order_number', 1000, ''), ('audit_head', 0, '')"
    )
    if op.get_bind().dialect.name == "sqlite":
        for statement in SQLITE_ONLY:
            op.execute(statement)
    else:
        for statement in POSTGRESQL_ONLY:
            op.execute(statement)


def downgrade() -> None:
    op.execute("DROP TABLE product_search")
    with op.batch_alter_table("stock_movements", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_stock_movements_product_id"))

    op.drop_table("stock_movements")
    with op.batch_alter_table("order_status_changes", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_order_status_changes_order_id"))

    op.drop_table("order_status_changes")
    with op.batch_alter_table("order_lines", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_order_lines_product_id"))

    op.drop_table("order_lines")
    op.drop_table("lab_reports")
    with op.batch_alter_table("credit_entries", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_credit_entries_user_id"))

    op.drop_table("credit_entries")
    with op.batch_alter_table("cart_lines", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_cart_lines_product_id"))

    op.drop_table("cart_lines")
    with op.batch_alter_table("sessions", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_sessions_user_id"))

    op.drop_table("sessions")
    with op.batch_alter_table("products", schema=None) as batch_op:
        batch_op.drop_index("ix_products_sort_name")
        batch_op.drop_index("ix_products_featured")
        batch_op.drop_index("ix_products_category_price")

    op.drop_table("products")
    with op.batch_alter_table("orders", schema=None) as batch_op:
        batch_op.drop_index(
            "uq_orders_referral",
            sqlite_where=sa.text("referral_discount_cents > 0 AND status <> 'cancelled'"),
            postgresql_where=sa.text("referral_discount_cents > 0 AND status <> 'cancelled'"),
        )
        batch_op.drop_index(
            "uq_orders_first_purchase",
            sqlite_where=sa.text("new_customer_discount_cents > 0 AND status <> 'cancelled'"),
            postgresql_where=sa.text("new_customer_discount_cents > 0 AND status <> 'cancelled'"),
        )
        batch_op.drop_index("ix_orders_user_id_created_at")
        batch_op.drop_index(batch_op.f("ix_orders_referrer_id"))
        batch_op.drop_index("ix_orders_created_at")

    op.drop_table("orders")
    op.drop_table("idempotency_keys")
    with op.batch_alter_table("audit_entries", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_audit_entries_subject"))
        batch_op.drop_index(batch_op.f("ix_audit_entries_actor_id"))
        batch_op.drop_index(batch_op.f("ix_audit_entries_action"))

    op.drop_table("audit_entries")
    with op.batch_alter_table("users", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_users_referred_by_id"))
        batch_op.drop_index(batch_op.f("ix_users_email"))

    op.drop_table("users")
    with op.batch_alter_table("outbox", schema=None) as batch_op:
        batch_op.drop_index(
            "ix_outbox_waiting", sqlite_where=sa.text("sent_at IS NULL"), postgresql_where=sa.text("sent_at IS NULL")
        )

    op.drop_table("outbox")
    op.drop_table("counters")
    op.drop_table("categories")
    if op.get_bind().dialect.name != "sqlite":
        op.execute("DROP FUNCTION keep_audit_entries")
