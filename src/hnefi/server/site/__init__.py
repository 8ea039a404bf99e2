"""The pages as static files, for hosts without a server of Hnefi."""

from hnefi.server.site.building import BuiltSite, build_site
from hnefi.server.site.folder import SiteFolderError
from hnefi.server.site.plan import SitePlan, with_first_variant

__all__ = ["BuiltSite", "SiteFolderError", "SitePlan", "build_site", "with_first_variant"]
