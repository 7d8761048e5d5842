"""`/admin/products`: all products, archived ones too."""

import reflex as rx

from marketplace_app.components.admin.products.products import product_list
from marketplace_app.components.admin.shell import admin_page


def products() -> rx.Component:
    return admin_page(product_list(), current="products")
