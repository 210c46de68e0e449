// Times in the reader's zone, buttons that copy, files that fill fields in, and clicks that count once. Everything else works without a script.
(() => {
    const show = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

    const localize = () => document.querySelectorAll('time[datetime]').forEach((time) => {
        const text = show.format(new Date(time.dateTime));
        if (time.textContent !== text) {
            time.textContent = text;
        }
    });

    // Browsers let pages copy over TLS and on a loopback address only.
    if (navigator.clipboard) {
        document.querySelectorAll('[data-copy]').forEach((button) => {
            button.hidden = false;
            button.addEventListener('click', () => navigator.clipboard
                .writeText(document.getElementById(button.dataset.copy).textContent)
                .then(() => 'Copied', () => 'Not copied')
                .then((word) => { button.textContent = word; }));
        });
    }

    // A file is read here and nowhere sent: it fills the field in, to be looked at first.
    document.querySelectorAll('[data-file]').forEach((label) => {
        const file = label.querySelector('input');
        label.hidden = false;
        file.addEventListener('change', () => {
            if (file.files.length > 0) {
                file.files[0].text().then((text) => { file.form.elements[label.dataset.file].value = text; });
            }
        });
    });

    // A second click sends no form again. Not for longer, because a page whose loading was stopped stays.
    const sending = (form, disabled) => form.querySelectorAll('button[type="submit"]').forEach((button) => {
        button.disabled = disabled;
    });
    document.addEventListener('submit', (event) => {
        if (event.target.method === 'post') {
            sending(event.target, true);
            setTimeout(() => sending(event.target, false), 3000);
        }
    });

    localize();
    new MutationObserver(localize).observe(document.body, { childList: true, characterData: true, subtree: true });
})();
