"""The pages as static files, for hosts without a server of Hnefi."""

from hnefi.server.site.building import BuiltSite, build_site, site_files
from hnefi.server.site.folder import SiteFolderError, check_folder, write_site
from hnefi.server.site.plan import SitePlan, with_first_variant

__all__ = [
    "BuiltSite",
    "SiteFolderError",
    "SitePlan",
    "build_site",
    "check_folder",
    "site_files",
    "with_first_variant",
    "write_site",
]
