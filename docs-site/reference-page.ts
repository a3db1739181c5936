/** The content of the API reference; its script renders the operations below the form. */
export const REFERENCE_CONTENT = `<h1>API reference</h1>
<p class="lead">Every operation of this instance’s API. Enter a token to try them right here: <strong>Try it out</strong> sends
real requests.</p>
<form class="token" autocomplete="off" hidden>
<label for="token">Your API token</label>
<div class="token-field">
<input id="token" type="password" autocomplete="off" spellcheck="false" placeholder="kurz_…" aria-describedby="token-note">
<button type="submit" class="primary">Use token</button>
<button type="button" class="secondary" hidden>Forget it</button>
</div>
<p id="token-note" class="soft" role="status">Only this page keeps it, until you close or reload it. Create one in the console under Developer.</p>
</form>
<p class="documents">OpenAPI 3.1: <a href="/api/v1/openapi.json?download=1" download="openapi.json">JSON</a>
<a href="/api/v1/openapi.yaml?download=1" download="openapi.yaml">YAML</a>. Clients:
<a href="/docs/clients/kurz-sdk.tgz" download>TypeScript and JavaScript</a>
<a href="/docs/clients/kurz" download>command line</a></p>
<nav class="reference-sections" aria-label="Sections" hidden></nav>
<div id="reference" data-document="/api/v1/openapi.json">
<noscript><p>The reference needs JavaScript. The OpenAPI document above has the same content.</p></noscript>
</div>
<p class="soft"><a href="/docs/licences.txt">Licences</a> of the software that renders this page</p>`;

export const MISSING_CONTENT = `<h1>There’s no such page</h1>
<p>The address may be mistyped, or from another version. Look in the menu, or search.</p>
<p><a href="/docs">Start page of the documentation</a></p>`;
