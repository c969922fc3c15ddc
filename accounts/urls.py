"""Account endpoints, mounted under `/v1/`."""

from django.urls import path

from accounts.views import CredentialsViewSet, OrganizationViewSet

urlpatterns = [
    path("orgs", OrganizationViewSet.as_view({"get": "retrieve"})),
    path("auth/rotate-keys", CredentialsViewSet.as_view({"post": "rotate"})),
]
