// Times in the reader's zone, and buttons that copy. Everything else works without a script.
(() => {
    const show = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

    const localize = () => document.querySelectorAll('time[datetime]').forEach((time) => {
        const text = show.format(new Date(time.dateTime));
        if (time.textContent !== text) {
            time.textContent = text;
        }
    });

    document.addEventListener('click', (event) => {
        const button = event.target.closest('[data-copy]');
        if (button) {
            navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
            button.textContent = 'Copied';
        }
    });

    localize();
    new MutationObserver(localize).observe(document.body, { childList: true, characterData: true, subtree: true });
})();
