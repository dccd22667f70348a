"""django-ratelimit and the throttles of Django REST framework, with Django's cache in memory."""

import django
from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.http import HttpResponse, JsonResponse
from django.urls import path

from rule import Rule

ANSWER = {"success": True, "data": {}}
urlpatterns = []


def build(rule: Rule):
    settings.configure(
        ROOT_URLCONF=__name__,
        SECRET_KEY="loopback only",
        ALLOWED_HOSTS=["127.0.0.1"],
        CACHES={"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}},
        INSTALLED_APPS=["rest_framework"] if rule.setting == "rest" else [],
        REST_FRAMEWORK={"UNAUTHENTICATED_USER": None, "DEFAULT_AUTHENTICATION_CLASSES": []},
        SILENCED_SYSTEM_CHECKS=["django_ratelimit.E003", "django_ratelimit.W001"],
    )
    django.setup()
    view = rest_view(rule) if rule.setting == "rest" else ratelimit_view(rule)
    urlpatterns.append(path("v1/media", view))
    return "wsgi", get_wsgi_application()


def ratelimit_view(rule: Rule):
    from django_ratelimit.decorators import ratelimit

    @ratelimit(key="header:authorization", rate=f"{rule.limit}/{rule.seconds}s", block=False)
    def media(request):
        return HttpResponse(status=429) if request.limited else JsonResponse(ANSWER)

    return media


def rest_view(rule: Rule):
    from rest_framework.response import Response
    from rest_framework.throttling import SimpleRateThrottle
    from rest_framework.views import APIView

    class KeyThrottle(SimpleRateThrottle):
        rate = f"{rule.limit}/m"

        def parse_rate(self, rate):
            # Its rates are for a second, a minute, an hour or a day: another length is given as it documents.
            return rule.limit, rule.seconds

        def get_cache_key(self, request, view):
            return request.headers.get("authorization", "")

    class Media(APIView):
        throttle_classes = [KeyThrottle]

        def get(self, request):
            return Response(ANSWER)

    return Media.as_view()
