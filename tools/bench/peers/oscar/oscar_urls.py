"""The application that gunicorn serves, and its routes: oscarapi's, and the list of products that a shop with pages of
its own would add to them."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "oscar_settings")

from django.core.wsgi import get_wsgi_application

application = get_wsgi_application()  # sets Django up, which the imports below need

from django.apps import apps  # noqa: E402
from django.db.models import Q  # noqa: E402
from django.urls import include, path  # noqa: E402
from oscar.core.loading import get_model  # noqa: E402
from oscarapi.serializers.product import ProductSerializer  # noqa: E402
from rest_framework import generics, pagination  # noqa: E402


class Pages(pagination.LimitOffsetPagination):
    default_limit = 24


class Products(generics.ListAPIView):
    """By category or word, cheapest first."""

    serializer_class = ProductSerializer
    pagination_class = Pages

    def get_queryset(self):
        asked = self.request.query_params
        products = get_model("catalogue", "Product").objects.browsable().base_queryset()
        if category := asked.get("category"):
            products = products.filter(categories__slug=category)
        if word := asked.get("search"):
            products = products.filter(Q(title__icontains=word) | Q(description__icontains=word))
        return products.order_by("stockrecords__price", "id")


urlpatterns = [
    path("i18n/", include("django.conf.urls.i18n")),
    path("api/list/", Products.as_view()),
    path("api/", include("oscarapi.urls")),
    path("", include(apps.get_app_config("oscar").urls[0])),
]
