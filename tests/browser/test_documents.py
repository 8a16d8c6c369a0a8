"""Documents as pages of their own in a browser."""

from dataclasses import replace

from playwright.sync_api import Browser

from houseway.documents import document as d
from houseway.documents.web_page import html_of
from tests.browser.window import low_contrast, violations
from tests.documents.test_documents import part, sheet_of


def test_a_page_is_accessible_in_light_and_dark_from_a_telephone_on(browser: Browser) -> None:
    # Every kind of block once; a whole sheet only takes longer.
    whole, first = sheet_of("three-card-progressive"), part("three-card-progressive", 14)[:5]
    blocks = (d.Heading(text="14"), *first, d.Text(text="x"), d.Signatures(roles=("Dealer",)))
    short = replace(whole, blocks=blocks, mark="REPRINT 1")
    for width in (360, 1100):
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme="light", bypass_csp=True
        )
        page = context.new_page()
        page.set_content(html_of(short).decode())
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.emulate_media(color_scheme="dark")
        assert low_contrast(page) == []
        context.close()
