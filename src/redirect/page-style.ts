/** The style sheet of all visitor pages; the content security policy allows it by its hash. */
export const PAGE_STYLE = `
:root{color-scheme:light dark;--back:#f8f8fa;--card:#fff;--line:#e8e8ee;--text:#15151c;--soft:#50525e;--field:#f2f2f6;
--accent:#3f4fdb;--on-accent:#fff;--tone:#50525e;--tone-back:#f2f2f6;--shadow:0 1px 2px rgb(16 24 40/.05),0 12px 32px -12px rgb(16 24 40/.16)}
@media(prefers-color-scheme:dark){:root{--back:#0b0c0f;--card:#121317;--line:#22242b;--text:#f1f2f5;--soft:#abaeba;
--field:#191a20;--accent:#9aa6ff;--on-accent:#12142e;--tone:#abaeba;--tone-back:#202229;--shadow:none}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;min-height:100vh;min-height:100dvh;display:flex;flex-direction:column;align-items:center;justify-content:center;
padding:32px 20px;background:var(--back);color:var(--text);
font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,"Noto Sans",sans-serif}
main{width:100%;max-width:480px;padding:36px;background:var(--card);border:1px solid var(--line);border-radius:16px;
box-shadow:var(--shadow)}
.sign{display:flex;align-items:center;justify-content:center;width:44px;height:44px;margin:0 0 20px;border-radius:12px;
background:var(--tone-back);color:var(--tone)}
.sign svg{width:22px;height:22px;fill:none;stroke:currentColor;stroke-width:1.8;stroke-linecap:round;stroke-linejoin:round}
.danger{--tone:#be2530;--tone-back:#fdecec}
.notice{--tone:#8a4f00;--tone-back:#fdf2dc}
.plain{--tone:var(--accent);--tone-back:#eef0fe}
@media(prefers-color-scheme:dark){.danger{--tone:#ff918d;--tone-back:#351b1d}.notice{--tone:#f0bb62;--tone-back:#2c220f}
.plain{--tone-back:#1b1f3d}}
h1{margin:0 0 8px;font-size:22px;line-height:1.3;font-weight:650;letter-spacing:-.01em;overflow-wrap:anywhere}
p{margin:0;color:var(--soft);overflow-wrap:anywhere}
p+p{margin-top:12px}
strong{color:var(--text);font-weight:600}
.to{margin:16px 0 24px;padding:14px 16px;background:var(--field);border:1px solid var(--line);border-radius:10px;
max-height:260px;overflow:auto}
.to p{font:14px/1.6 ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;word-break:break-all}
.to .name{margin-bottom:6px;font:inherit;font-weight:600;line-height:1.4;color:var(--text);word-break:normal;
display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:3;overflow:hidden}
.to p+p{margin-top:0}
.go{display:block;padding:12px 20px;border-radius:10px;background:var(--accent);color:var(--on-accent);font-weight:600;
text-align:center;text-decoration:none}
p+.go{margin-top:20px}
.go:hover{filter:brightness(1.08)}
form{margin-top:20px}
label{display:block;margin-bottom:6px;font-weight:600}
input{display:block;width:100%;padding:11px 14px;border:1px solid var(--soft);border-radius:10px;background:var(--field);color:inherit;font:inherit}
button.go{width:100%;margin-top:16px;border:0;font:inherit;font-weight:600;cursor:pointer}
.wrong{margin-top:8px;color:#be2530}
@media(prefers-color-scheme:dark){.wrong{color:#ff918d}}
a{color:var(--accent)}
a:focus-visible,input:focus-visible,button:focus-visible,.to:focus-visible{outline:3px solid var(--accent);outline-offset:3px;border-radius:4px}
.go:focus-visible,.to:focus-visible{border-radius:10px}
.small{margin-top:20px;padding-top:20px;border-top:1px solid var(--line);font-size:14px}
footer{margin-top:20px;font-size:13px;color:var(--soft);overflow-wrap:anywhere;text-align:center}
@media(max-width:460px){main{padding:28px 22px}}
`;
